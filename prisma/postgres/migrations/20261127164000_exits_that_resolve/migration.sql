-- Names of targets are resolved by the exit only, and not checked by the gateway.
ALTER TABLE "exits" ADD COLUMN "remote_only" BOOLEAN NOT NULL DEFAULT false;
