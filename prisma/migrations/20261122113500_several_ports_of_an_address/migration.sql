-- An address may have several proxies, each on a port of its own.
DROP INDEX "stock_ips_ip_seat_key";
CREATE UNIQUE INDEX "stock_ips_ip_port_seat_key" ON "stock_ips"("ip", "port", "seat");
