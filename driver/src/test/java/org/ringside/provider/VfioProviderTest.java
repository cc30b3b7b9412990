package org.ringside.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.ringside.verbs.VerbsException;

class VfioProviderTest {
    private final VfioProvider provider = new VfioProvider();

    @Test
    void shouldServeNamesByTheirForm() {
        assertThat(provider.serves("vfio/0000:3b:00.2")).isTrue();
        assertThat(provider.serves("vfio-user//run/x")).isTrue();
        assertThat(provider.serves("emulated")).isFalse();
    }

    @Test
    void shouldSayWhichSocketIsNotThere() {
        assertThatThrownBy(() -> provider.open("vfio-user//no/such/socket"))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("/no/such/socket");
        assertThatThrownBy(() -> provider.open("vfio-user//no/such/socket?ip=192.0.2.7"))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("/no/such/socket")
                .hasMessageNotContaining("?ip");
    }

    @Test
    void shouldRefuseOptionsThatThereAreNot() {
        assertThatThrownBy(() -> provider.open("vfio/0000:00:05.0?colour=blue"))
                .isInstanceOfSatisfying(
                        VerbsException.class,
                        e -> assertThat(e.errno()).isEqualTo(VerbsException.EINVAL))
                .hasMessageContaining("\"colour=blue\" is no option");
    }
}
