-- Proxies that pass their checks slowly are told from the others, and dead ones in use are counted without reading the others.
ALTER TABLE "instances" ADD COLUMN "answer_ms" INTEGER;
CREATE INDEX "instances_dead" ON "instances"("order_id") WHERE status = 'active' AND verdict = 'dead';
