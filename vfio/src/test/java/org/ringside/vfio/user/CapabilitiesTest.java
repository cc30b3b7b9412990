package org.ringside.vfio.user;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CapabilitiesTest {
    private static Capabilities parse(String json) throws ProtocolException {
        byte[] bytes = ("xx" + json).getBytes(StandardCharsets.UTF_8);
        return Capabilities.parse(MemorySegment.ofArray(bytes), 2, bytes.length - 2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}\0",
                "{\"capabilities\":{}}\0",
                " { \"capabilities\" : { \"twin_socket\" : { \"supported\" : true } } } \0",
                "{\"other\":[null,true,false,-1.5e3,\"\\u00e9\\n\"]}\0"
            })
    void shouldHaveDefaultsForWhatIsNotSaid(String json) throws ProtocolException {
        assertThat(parse(json)).isEqualTo(new Capabilities(1, 1 << 20, 65535, 4096, false));
    }

    @Test
    void shouldReadWhatIsSaid() throws ProtocolException {
        String json =
                "{\"capabilities\":{\"max_msg_fds\":8,\"max_data_xfer_size\":4096,"
                        + "\"max_dma_maps\":1000,\"pgsizes\":2101248,\"write_multiple\":true}}\0";
        assertThat(parse(json)).isEqualTo(new Capabilities(8, 4096, 1000, 2101248, true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\0",
                "{\"a\"}\0",
                "{\"a\":}\0",
                "{\"a\":1,}\0",
                "{\"a\":1}x\0",
                "{\"a\":\"\\q\"}\0",
                "{\"a\":\"\\u00g0\"}\0",
                "{\"a\":tru}\0",
                "{\"a\":--1}\0",
                "[]\0",
                "{\"capabilities\":[]}\0",
                "{\"capabilities\":{\"max_msg_fds\":null}}\0",
                "{\"capabilities\":{\"max_msg_fds\":1e99}}\0",
                "{\"capabilities\":{\"max_dma_maps\":0.5}}\0",
                "{\"capabilities\":{\"pgsizes\":0}}\0",
                "{\"capabilities\":{\"max_data_xfer_size\":0}}\0"
            })
    void shouldRefuseWhatIsWrong(String json) {
        assertThatThrownBy(() -> parse(json))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("JSON of VERSION");
    }

    @Test
    void shouldRefuseNestingWithoutEndAndNumbersWithoutEnd() {
        String deep = "[".repeat(100_000) + "\0";
        assertThatThrownBy(() -> parse(deep)).isInstanceOf(ProtocolException.class);
        String digits = "{\"a\":" + "9".repeat(100_000) + "}\0";
        assertThatThrownBy(() -> parse(digits)).isInstanceOf(ProtocolException.class);
        assertThatThrownBy(() -> parse("{\"capabilities\":{\"pgsizes\":1e999999999}}\0"))
                .isInstanceOf(ProtocolException.class);
    }

    @Test
    void shouldWriteWhatItReads() throws ProtocolException {
        Capabilities all = new Capabilities(16, 1 << 16, 999, 8192, true);
        String json = new String(all.toJson(1000), StandardCharsets.US_ASCII);
        assertThat(parse(json)).isEqualTo(all);
    }

    @Test
    void shouldNeverWriteMoreThanThereIsRoom() throws ProtocolException {
        Capabilities all = new Capabilities(16, 1 << 16, 999, 8192, true);
        for (int room = 0; room < 200; room++) {
            String json = new String(all.toJson(room), StandardCharsets.US_ASCII);
            assertThat(json.length()).isLessThanOrEqualTo(room);
            assertThat(json.isEmpty()).isEqualTo(room < 20);
            assertThat(parse(json)).isNotNull();
        }
    }
}
