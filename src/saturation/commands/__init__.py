"""The commands of `saturation`: their options, and what they print."""
