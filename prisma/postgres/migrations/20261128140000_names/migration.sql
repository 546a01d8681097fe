-- Names and descriptions of products are texts by language, so that a further language needs no column.
ALTER TABLE "products" ADD COLUMN "names" TEXT COLLATE "C" NOT NULL DEFAULT '{}';
ALTER TABLE "products" ADD COLUMN "descriptions" TEXT COLLATE "C" NOT NULL DEFAULT '{}';

-- contract: of new columns, which the version before does not know
UPDATE "products" SET
    "names" = jsonb_build_object('en', "name_en", 'zh', "name_zh")::text,
    -- A description that is empty is none.
    "descriptions" = jsonb_strip_nulls(
        jsonb_build_object('en', nullif("description_en", ''), 'zh', nullif("description_zh", '')))::text;

-- The columns of the version before stay for its servers, which run while the others are replaced: what either version writes, the other
-- one reads. They are removed one version later.
-- contract: the version before names them in each row that it adds
ALTER TABLE "products" ALTER COLUMN "name_en" SET DEFAULT '';
-- contract: the version before names them in each row that it adds
ALTER TABLE "products" ALTER COLUMN "name_zh" SET DEFAULT '';

-- contract: it fills the new columns from what the version before has written
CREATE FUNCTION products_written_of_before() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."names" = (NEW."names"::jsonb || jsonb_build_object('en', NEW."name_en", 'zh', NEW."name_zh"))::text;
    NEW."descriptions" = jsonb_strip_nulls(NEW."descriptions"::jsonb
        || jsonb_build_object('en', nullif(NEW."description_en", ''), 'zh', nullif(NEW."description_zh", '')))::text;
    RETURN NEW;
END $$;
-- contract: it fills the new columns from what the version before has written
CREATE TRIGGER "products_added_of_before" BEFORE INSERT ON "products" FOR EACH ROW
    WHEN (NEW."names" = '{}')
    EXECUTE FUNCTION products_written_of_before();
-- contract: it fills the new columns from what the version before has written
CREATE TRIGGER "products_changed_of_before" BEFORE UPDATE OF "name_en", "name_zh", "description_en", "description_zh"
    ON "products" FOR EACH ROW
    EXECUTE FUNCTION products_written_of_before();

-- contract: it fills the columns that the version before reads
CREATE FUNCTION products_read_of_before() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."name_en" = coalesce(NEW."names"::jsonb ->> 'en', '');
    NEW."name_zh" = coalesce(NEW."names"::jsonb ->> 'zh', '');
    NEW."description_en" = coalesce(NEW."descriptions"::jsonb ->> 'en', '');
    NEW."description_zh" = coalesce(NEW."descriptions"::jsonb ->> 'zh', '');
    RETURN NEW;
END $$;
-- contract: it fills the columns that the version before reads
CREATE TRIGGER "products_read_of_before" BEFORE INSERT OR UPDATE OF "names", "descriptions" ON "products" FOR EACH ROW
    WHEN (NEW."names" <> '{}')
    EXECUTE FUNCTION products_read_of_before();

-- Notices have names by language, too; those of the version after it are read by a leader of the version before.
-- contract: it adds fields that the version before reads
CREATE FUNCTION notices_of_before() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW."data" = (NEW."data"::jsonb || jsonb_build_object(
        'nameEn', NEW."data"::jsonb -> 'names' ->> 'en', 'nameZh', NEW."data"::jsonb -> 'names' ->> 'zh'))::text;
    RETURN NEW;
END $$;
-- contract: it adds fields that the version before reads
CREATE TRIGGER "notices_of_before" BEFORE INSERT ON "notices" FOR EACH ROW
    WHEN (NEW."data" LIKE '%"names"%' AND NEW."data"::jsonb ? 'names')
    EXECUTE FUNCTION notices_of_before();
