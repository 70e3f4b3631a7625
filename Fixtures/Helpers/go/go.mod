module handover

go 1.19
