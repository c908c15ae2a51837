@NullMarked
package dev.sluice.multicluster.controller;

import org.jspecify.annotations.NullMarked;
