# shellcheck shell=bash
# The project's programs in the guest.

readonly JARS=/run/payload/lib
readonly CLI_MAIN=org.ringside.cli.Ringside

# For a JVM under TCG, where code that changes is the dearest thing: an archive mapped where it wants to be, and one compiler,
# C1, that touches only what is hot. It starts in two thirds of the time. And it hardly ever patches code that runs: a virtual
# processor of TCG that fetches an instruction while another one stores over it can see some bytes of the old one and some of
# the new, where real processors see one or the other, on which the JVM counts when it retires a method (NativeJump in
# HotSpot). A JVM that did nothing but compile anew died of it within two minutes.
JVM_OPTIONS=(-XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0 -XX:TieredStopAtLevel=1
    -XX:CompileThresholdScaling=4 -XX:+UseSerialGC "-XX:ErrorFile=$RESULTS/hs_err_%p.log")

# Arrays, not functions: started in the background they are the JVM itself, which can be killed by $!.
JAVA=("$JAVA_HOME/bin/java" "${JVM_OPTIONS[@]}" --enable-native-access=ALL-UNNAMED -cp "$JARS/*")
# shellcheck disable=SC2034 # for those who source this
RINGSIDE=("${JAVA[@]}" "$CLI_MAIN")
