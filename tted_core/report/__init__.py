"""Reports, pictures and replay files of a comparison; what it shows by itself is registered here."""

from tted_core.comparison import VIEWS
from tted_core.explain.correspondence import sentences_json
from tted_core.report.exports import written
from tted_core.report.notebook import notebook_html, picture, script_frame

VIEWS.update(html=notebook_html, figure=picture, frame=script_frame, file=written, sentences=sentences_json)
