# A public server: nobody writes reviews, work takes a minute at most, and what visitors upload goes after a day.
ENV TTED_OPEN=read TTED_MAX_SECONDS=60 TTED_KEPT_DAYS=1 TTED_BATCH_FOLDERS=off TTED_WORKERS=2
