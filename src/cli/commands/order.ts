import { Command } from 'commander'
import type { ShownOrder } from '../../core/customers/show-order.ts'
import { toNumber, toText } from '../../core/money.ts'
import { addressOf } from '../../core/proxy-formats.ts'
import { toGigabytes } from '../../core/bytes.ts'
import { PASSWORD_HELP } from '../../operator/arguments.ts'
import { passwordFrom } from '../password.ts'
import { confirm, YES_HELP } from '../confirm.ts'
import type { Run } from '../run.ts'
import { counted, table } from '../../operator/table.ts'

const REASON = 'why, 1-255 characters; kept in the trail'
/** Message when `--instances` names a proxy that the order does not have. */
export const NOT_OF_THE_ORDER = 'This order has no such proxy: `order show` shows those that it has'

/** `order show | replace | credentials | end`: orders of customers and their proxies (rules 16.2, 16.4 to 16.6). */
export function orderCommands(run: Run): Command[] {
  return [showCommand(run), replaceCommand(run), credentialsCommand(run), endCommand(run)]
}

function showCommand(run: Run): Command {
  return new Command('show')
    .description('show an order of proxies, with all of them, or of traffic')
    .argument('<order>', 'its number')
    .action(
      run(async (session, orderNo: string) => {
        const shown = await (await session.core()).operator.orders.show(orderNo)
        const { order, refundable } = shown
        const money = (micros: number) => `${toText(micros)} ${session.currency}`
        const proxies = shown.type === 'static' ? shown.order.instances : []
        return {
          data: { ...recordOfOrder(shown), currency: session.currency },
          text: [
            `${order.orderNo} of ${order.username}: ${order.productNo}, ${order.status}, ${money(order.totalAmount)}; ${money(refundable)} can be given back`,
            ...(proxies.length === 0
              ? []
              : [
                  table([
                    ['PROXY', 'ADDRESS', 'STATUS', 'UNTIL'],
                    ...proxies.map((proxy) => [
                      proxy.instanceNo,
                      addressOf(proxy),
                      proxy.status,
                      proxy.expireTime,
                    ]),
                  ]),
                ]),
          ].join('\n'),
        }
      }),
    )
}

function recordOfOrder(shown: ShownOrder): object {
  const { type, order, refundable } = shown
  const { orderNo, appOrderNo, username, productNo, status, totalAmount, createdAt } = order
  return {
    type,
    order_no: orderNo,
    app_order_no: appOrderNo,
    username,
    product_no: productNo,
    status,
    total_amount: toNumber(totalAmount),
    refundable_amount: toNumber(refundable),
    created_at: createdAt,
    ...(shown.type === 'dynamic'
      ? { traffic_gb: toGigabytes(shown.order.trafficBytes) }
      : {
          instances: shown.order.instances.map((proxy) => ({
            instance_no: proxy.instanceNo,
            ip: proxy.ip,
            port: proxy.port,
            status: proxy.status,
            expire_time: proxy.expireTime,
          })),
        }),
  }
}

function replaceCommand(run: Run): Command {
  return new Command('replace')
    .description('replace a proxy by an equal one, whatever its product says; the customer is told')
    .argument('<proxy>', 'its number')
    .requiredOption('--reason <text>', 'why; the customer reads it')
    .option('--refund', 'where there is no equal one, give back the rest of the term')
    .action(
      run(
        async (
          session,
          instanceNo: string,
          { reason, refund = false }: { reason: string; refund?: boolean },
        ) => {
          const { operator } = await session.core('suppliers')
          const replaced = await operator.orders.replace(session.by, { instanceNo, reason, refund })
          const { replacementNo, status, newIp, newPort, refundAmount } = replaced
          const outcome =
            status === 'done'
              ? `replaced by ${addressOf({ ip: newIp ?? '', port: newPort ?? 0 })}`
              : status === 'refunded'
                ? `refunded ${toText(refundAmount)} ${session.currency}`
                : 'another proxy is being bought or checked'
          return {
            data: {
              replacement_no: replacementNo,
              instance_no: instanceNo,
              status,
              new: newIp === null ? null : { ip: newIp, port: newPort },
              refund_amount: toNumber(refundAmount),
            },
            text: `${instanceNo}: ${outcome}`,
          }
        },
      ),
    )
}

function credentialsCommand(run: Run): Command {
  return new Command('credentials')
    .description('give other credentials to a proxy in use; the customer is told')
    .argument('<proxy>', 'its number')
    .requiredOption('--reason <text>', REASON)
    .option('--password <password>', `of a proxy of the own stock, as it is there now; ${PASSWORD_HELP}`)
    .option('--username <username>', 'the same; by default it stays')
    .action(
      run(
        async (
          session,
          instanceNo: string,
          { password, ...options }: { reason: string; password?: string; username?: string },
        ) => {
          const typed = password === undefined ? undefined : await passwordFrom(session, password)
          const { operator } = await session.core('suppliers')
          const given = { instanceNo, password: typed, ...options }
          const { changed, username } = await operator.orders.giveCredentials(session.by, given)
          return {
            data: { instance_no: instanceNo, username, changed },
            text: changed
              ? `${instanceNo} has other credentials`
              : `The supplier of ${instanceNo} is asked for other credentials`,
          }
        },
      ),
    )
}

interface EndOptions {
  readonly instances?: readonly string[]
  readonly reason: string
  readonly yes?: true
}

function endCommand(run: Run): Command {
  return new Command('end')
    .description('end proxies of an order before their time and give nothing back; the customer is told')
    .argument('<order>', 'its number')
    .option('--instances <numbers...>', 'numbers of proxies; by default all of the order')
    .requiredOption('--reason <text>', 'why; the customer reads it')
    .option('--yes', YES_HELP)
    .action(
      run(
        async (session, orderNo: string, { instances, reason, yes }: EndOptions) => {
          const { orders } = (await session.core('suppliers')).operator
          const scope = { orderNo, ...(instances && { instances: [...instances] }) }
          const { active, username } = await orders.quoteRefund(scope)
          if (active > 0)
            await confirm(
              session,
              `End ${counted(active, 'proxy', 'proxies')} of ${username} without a refund?`,
              yes,
            )
          const { ended } = await orders.end(session.by, { ...scope, reason })
          return {
            data: { order_no: orderNo, username, ended_instances: ended },
            text: `Ended ${counted(ended.length, 'proxy', 'proxies')} of ${username}; nothing was given back`,
          }
        },
        {
          order_not_found: 'There is no order of proxies of this number',
          instance_not_found: NOT_OF_THE_ORDER,
        },
      ),
    )
}
