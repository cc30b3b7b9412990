package org.ringside.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WrongInputTest {
    @ParameterizedTest(name = "[{index}] {0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ''                                            | no command given; try one of
                    nonsense                                      | Unmatched argument at index 0: 'nonsense'
                    pingpong --size 0                             | --size is 0, expected 1 to 1073741824
                    pingpong --size 1073741825                    | --size is 1073741825
                    pingpong --size -3                            | --size is -3
                    pingpong --size many                          | 'many' is not a long
                    pingpong --iterations 0                       | --iterations is 0, expected at least 1
                    pingpong --iterations x                       | 'x' is not an int
                    pingpong --timeout 0                          | --timeout is 0, expected at least 1
                    pingpong --operation jump                     | expected one of [SEND, WRITE, READ, CAS, FAA]
                    pingpong --operation cas --size 64            | atomics are of 8 bytes
                    pingpong --device nonsense/1                  | no provider serves the device name "nonsense/1"
                    pingpong --device emulated/x?colour=blue      | unknown option "colour"
                    pingpong --device emulated/x?doorbells=silent | doorbells takes mapped or trapped, not "silent"
                    pingpong --what                               | Unknown option: '--what'
                    emulate                                       | Missing required option: '--socket=PATH'
                    emulate --socket /nonexistent/x               | there is no directory /nonexistent; make it first
                    emulate --socket /tmp/.x -o colour=blue        | unknown option "colour"
                    pingpong --device emulated/a --peer emulated/a | --peer is the same as --device
                    pingpong --device vfio-user/                  | the path of the socket is empty
                    emulate --socket=                             | --socket is empty
                    emulate --socket /tmp/.x --socket /tmp/./.x     | --socket /tmp/./.x is given twice
                    emulate --socket /tmp/.x --name=a/b            | --name is "a/b"; it takes 1 to 32 letters
                    emulate --socket /tmp/.x --name=               | --name is ""
                    emulate --socket /tmp/.x --fault rain          | there is no fault "rain"; there are drop-command, delay-command
                    emulate --socket /tmp/.x --fault garbage=x     | fault "garbage=x": x is no number; write KIND
                    emulate --socket /tmp/.x --faults /dev/null    | --faults: /dev/null is neither a FIFO nor a regular file
                    emulate --socket /tmp/.x --faults /tmp         | --faults: /tmp is neither a FIFO nor a regular file
                    emulate --socket /tmp/.x --faults /nonexistent | --faults: there is no /nonexistent; mkfifo makes a FIFO
                    compare a=/tmp/.x                              | requires at least 2 values, but only 1 were specified
                    compare a b                                   | "a" is no recording; write DRIVER=FILE
                    compare a=/nonexistent/x b=/dev/null          | a /nonexistent/x: there is no such file
                    compare a=/tmp b=/tmp                         | a /tmp: that is a directory
                    compare a=/dev/null b=/dev/null               | /dev/null: nothing is recorded there
                    compare a=/dev/null b=/dev/null --table /none | --table /none: there is no such file
                    compare a=/proc/self/exe b=/proc/self/exe     | this is no text in UTF-8
                    emulate --socket /tmp                         | --socket /tmp: something that is no socket is there
                    emulate --socket /dev/null                    | --socket /dev/null: something that is no socket is there
                    emulate --socket /tmp/.x --record /none/x      | --record /none/x: there is no directory /none; make it first
                    emulate --socket /tmp/.x -o record=/tmp        | --record /tmp: that is a directory
                    pingpong h --listen                           | both HOST and --listen
                    pingpong --port 7                             | --port, --gid-index, --mtu and --service are for HOST or --listen
                    pingpong h --port 65536                       | --port is 65536, expected 1 to 65535
                    pingpong h --gid-index -1                     | --gid-index is -1, expected 0 or more
                    pingpong h --mtu 1500                         | --mtu is 1500, expected 256, 512, 1024, 2048 or 4096
                    pingpong h --operation read                   | ibv_rc_pingpong sends; leave --operation out
                    pingpong h --peer emulated/b                  | --peer is a device of ours
                    pingpong --device vfio-user//dev/null         | that is no socket; give the path
                    pingpong --device vfio-user//dev/null/x       | ENOTDIR (20)
                    emulate --socket /tmp/.x --profile xf          | option profile takes vf, pf, ib or ibpf, not "xf"
                    """)
    void shouldTellInOneLineAndExitWithTwo(String args, String message) {
        Outcome outcome = Outcome.of(args.isEmpty() ? new String[0] : args.split(" +", -1));

        assertThat(outcome.err()).contains(message);
        assertThat(outcome.err().lines()).hasSize(1).allMatch(l -> l.startsWith("ringside: "));
        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.out()).isEmpty();
    }
}
