"""Why a comparison has the number it has: its receipt, its changes, what another choice would cost."""
