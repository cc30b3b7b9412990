package org.ringside.verbs.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import org.junit.jupiter.api.Test;
import org.ringside.verbs.Context;
import org.ringside.verbs.DeviceInfo;
import org.ringside.verbs.VerbsException;

class ProvidersTest {
    private static final DeviceInfo GOOD = new DeviceInfo("good/0", "good", "a device", true, "");

    private static class Provider implements VerbsProvider {
        private final String name;
        private final int version;

        Provider(String name, int version) {
            this.name = name;
            this.version = version;
        }

        @Override
        public int interfaceVersion() {
            return version;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public boolean serves(String deviceName) {
            return deviceName.startsWith(name + "/");
        }

        @Override
        public List<DeviceInfo> devices() throws VerbsException {
            return List.of(GOOD);
        }

        @Override
        public Context open(String deviceName) throws VerbsException {
            throw new VerbsException(VerbsException.ENODEV, name + " was asked for " + deviceName);
        }
    }

    private static VerbsProvider good() {
        return new Provider("good", VerbsProvider.INTERFACE_VERSION);
    }

    @Test
    void shouldAskTheProviderThatServesTheName() {
        Providers providers =
                new Providers(
                        List.of(new Provider("other", VerbsProvider.INTERFACE_VERSION), good()));
        assertThatThrownBy(() -> providers.open("good/7")).hasMessage("good was asked for good/7");
    }

    @Test
    void shouldSetAsideAnotherInterfaceVersion() {
        Providers providers =
                new Providers(
                        List.of(
                                new Provider("future", 2 << 16),
                                good(),
                                new Provider("newer", 1 << 16 | 9)));
        assertThat(providers.devices())
                .hasSize(3)
                .contains(GOOD)
                .anySatisfy(
                        d -> {
                            assertThat(d.name()).isEqualTo("future");
                            assertThat(d.available()).isFalse();
                            assertThat(d.reason())
                                    .isEqualTo(
                                            "provider interface version 2.0, this API has 1.0; use"
                                                    + " matching jars");
                        });
        assertThatThrownBy(() -> providers.open("future/0"))
                .hasMessageContaining("providers here: good")
                .hasMessageContaining("set aside: future: provider interface version 2.0");
    }

    @Test
    void shouldSurviveAProviderThatThrows() {
        VerbsProvider broken =
                new Provider("broken", VerbsProvider.INTERFACE_VERSION) {
                    @Override
                    public List<DeviceInfo> devices() {
                        throw new IllegalStateException("out of order");
                    }
                };
        VerbsProvider worse =
                new Provider("worse", VerbsProvider.INTERFACE_VERSION) {
                    @Override
                    public String name() {
                        throw new NoClassDefFoundError("gone");
                    }
                };
        assertThat(new Providers(List.of(broken, worse, good())).devices())
                .contains(GOOD)
                .anySatisfy(d -> assertThat(d.reason()).contains("out of order"))
                .anySatisfy(d -> assertThat(d.reason()).contains("gone"));
    }

    @Test
    void shouldPassByAProviderThatFailsWhenAsked() {
        VerbsProvider failing =
                new Provider("failing", VerbsProvider.INTERFACE_VERSION) {
                    @Override
                    public boolean serves(String deviceName) {
                        throw new IllegalStateException("broken");
                    }
                };
        assertThatThrownBy(() -> new Providers(List.of(failing, good())).open("good/0"))
                .hasMessage("good was asked for good/0");
    }

    @Test
    void shouldSurviveAProviderThatCannotBeLoaded() {
        Iterable<VerbsProvider> loader =
                () ->
                        new Iterator<>() {
                            private int next;

                            @Override
                            public boolean hasNext() {
                                return next < 2;
                            }

                            @Override
                            public VerbsProvider next() {
                                if (next++ == 0) {
                                    throw new ServiceConfigurationError("no such class");
                                }
                                return good();
                            }
                        };
        assertThat(new Providers(loader).devices())
                .contains(GOOD)
                .anySatisfy(d -> assertThat(d.reason()).contains("no such class"));
    }

    @Test
    void shouldSayWhenThereIsNoProvider() {
        assertThatThrownBy(() -> new Providers(List.of()).open("emulated"))
                .hasMessageContaining("no provider serves the device name \"emulated\"")
                .hasMessageContaining("is the driver's jar on the path?");
    }
}
