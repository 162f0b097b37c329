"""Every scenario of every feature file is a test."""

from pytest_bdd import scenarios

scenarios(".")
