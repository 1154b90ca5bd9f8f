"""The compose form, run: what `infra/compose/drill.sh` plays once an engine and the images are there."""
