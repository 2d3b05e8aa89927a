"""Score two tables on a Spark cluster:

spark-submit score_on_spark.py GOLD PRED

GOLD and PRED are folders or files of Parquet with a column `element` and a column `cluster`.
"""

import sys

from pyspark.sql import SparkSession

import clusterscore as cs

spark = SparkSession.builder.appName("clusterscore").getOrCreate()
gold, pred = (spark.read.parquet(path) for path in sys.argv[1:3])
card = cs.score_table(gold_table=gold, pred_table=pred, missing="singleton")
print(card)
