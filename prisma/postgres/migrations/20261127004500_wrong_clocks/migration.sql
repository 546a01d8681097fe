-- Several servers: each says with its life sign whether its clock is wrong, so that the operator is told of all of them.
ALTER TABLE "servers" ADD COLUMN "wrong_clock" BOOLEAN NOT NULL DEFAULT FALSE;
