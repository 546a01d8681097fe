-- Names and descriptions of products are texts by language, so that a further language needs no column.
ALTER TABLE "products" ADD COLUMN "names" TEXT NOT NULL DEFAULT '{}';
ALTER TABLE "products" ADD COLUMN "descriptions" TEXT NOT NULL DEFAULT '{}';

UPDATE "products" SET
    "names" = json_object('en', "name_en", 'zh', "name_zh"),
    -- A description that is empty is none.
    "descriptions" = json_patch('{}', json_object('en', nullif("description_en", ''), 'zh', nullif("description_zh", '')));

ALTER TABLE "products" DROP COLUMN "name_en";
ALTER TABLE "products" DROP COLUMN "name_zh";
ALTER TABLE "products" DROP COLUMN "description_en";
ALTER TABLE "products" DROP COLUMN "description_zh";
