# shellcheck shell=bash
# The project's programs in the guest.

readonly JARS=/run/payload/lib
readonly CLI_MAIN=org.ringside.cli.Ringside

# What makes a JVM start three times as fast under TCG, where code that changes is the dearest thing: an
# archive mapped where it wants to be, and compilers that only touch what is truly hot.
JVM_OPTIONS=(-XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0 -XX:CompileThresholdScaling=10
    -XX:+UseSerialGC "-XX:ErrorFile=$RESULTS/hs_err_%p.log")

# Arrays, not functions: started in the background they are the JVM itself, which can be killed by $!.
JAVA=("$JAVA_HOME/bin/java" "${JVM_OPTIONS[@]}" --enable-native-access=ALL-UNNAMED -cp "$JARS/*")
# shellcheck disable=SC2034 # for those who source this
RINGSIDE=("${JAVA[@]}" "$CLI_MAIN")
