-- The tokens of links, encrypted, so that a link can be shown again.
ALTER TABLE "join_links" ADD COLUMN "sealed" TEXT COLLATE "C";
ALTER TABLE "proxy_links" ADD COLUMN "sealed" TEXT COLLATE "C";
ALTER TABLE "extract_links" ADD COLUMN "sealed" TEXT COLLATE "C";
