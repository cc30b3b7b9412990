package org.ringside.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Sends the house's log to standard error, a line for each record. */
final class LogSetup {
    /** Held here, since the log manager forgets loggers that nobody holds. */
    private static final Logger HOUSE = Logger.getLogger("org.ringside");

    private LogSetup() {}

    /**
     * @param everything down to each DMA map and each command; else warnings only
     */
    static void apply(boolean everything) {
        Level level = everything ? Level.FINE : Level.WARNING;
        Handler handler = new ConsoleHandler();
        handler.setLevel(level);
        handler.setFormatter(new OneLine());
        for (Handler old : HOUSE.getHandlers()) {
            HOUSE.removeHandler(old);
        }
        HOUSE.setUseParentHandlers(false);
        HOUSE.setLevel(level);
        HOUSE.addHandler(handler);
    }

    private static final class OneLine extends Formatter {
        @Override
        public String format(LogRecord record) {
            String line = "%1$tT.%1$tL %2$s%n".formatted(record.getMillis(), formatMessage(record));
            Throwable thrown = record.getThrown();
            if (thrown == null) {
                return line;
            }
            StringWriter trace = new StringWriter();
            thrown.printStackTrace(new PrintWriter(trace));
            return line + trace;
        }
    }
}
