package org.ringside.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Runs a class once for each {@link Topology} that {@code -Dringside.devices} names. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ParameterizedClass(name = "on {0}")
@MethodSource("org.ringside.conformance.Topology#named")
@ExtendWith(OpenDevices.AtEnd.class)
@TestInstance(TestInstance.Lifecycle.PER_METHOD)
@interface OnEachDevice {}
