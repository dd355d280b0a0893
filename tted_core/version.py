"""The version of the package, in one place; part of every signature."""

VERSION = "0.1.0"
