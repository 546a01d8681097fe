-- The dead proxies of a user are counted on each home screen: without reading the others.
CREATE INDEX "instances_dead_of_user" ON "instances"("user_id") WHERE status = 'active' AND verdict = 'dead';
