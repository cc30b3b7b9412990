package org.ringside.mlx5;

import org.ringside.mlx5.layout.AllocPdIn;
import org.ringside.mlx5.layout.AllocPdOut;
import org.ringside.mlx5.layout.DeallocPdIn;
import org.ringside.mlx5.layout.DeallocPdOut;
import org.ringside.mlx5.layout.Opcode;
import org.ringside.verbs.ProtectionDomain;
import org.ringside.verbs.VerbsException;

/** A protection domain of the device. */
final class Mlx5Pd extends ProtectionDomain {
    private final Mlx5Context context;
    final int number;

    private Mlx5Pd(Mlx5Context context, int number) {
        super(context, number);
        this.context = context;
        this.number = number;
    }

    static Mlx5Pd create(Mlx5Context context) throws VerbsException {
        Command command =
                context.device()
                        .commands
                        .execute(new Command(Opcode.ALLOC_PD, AllocPdIn.LAYOUT, AllocPdOut.LAYOUT));
        return new Mlx5Pd(context, (int) command.get(AllocPdOut.PD));
    }

    @Override
    protected void doClose() throws VerbsException {
        context.destroy(
                this,
                new Command(Opcode.DEALLOC_PD, DeallocPdIn.LAYOUT, DeallocPdOut.LAYOUT)
                        .set(DeallocPdIn.PD, number));
    }
}
