import { InputFile } from 'grammy'
import { RECEIPTS } from '../../actions/receipts.ts'
import { toPng, WRITING } from '../../kit/charts/png.ts'
import type { Topic } from '../../dialogue/topic.ts'
import type { BotContext } from '../../session/context.ts'
import { Feature } from '../../session/feature.ts'
import { viewOf } from '../../session/view-of.ts'
import { type Receipt, receiptSvg } from './receipt-picture.ts'
import { orderReceipt, topUpReceipt, trafficReceipt } from './receipts.ts'

/** Receipts as pictures, which people keep or hand to whoever pays them (rules 18.9). */
export const receipts: Topic = { features: [receiptsFeature()] }

function receiptsFeature(): Feature {
  const feature = new Feature()
  feature.onMember(RECEIPTS.order, async (ctx, actor, { id = 0 }) =>
    send(ctx, orderReceipt(viewOf(ctx), await ctx.core.orders.getStatic(actor, { id }))),
  )
  feature.onMember(RECEIPTS.traffic, async (ctx, actor, { id = 0 }) =>
    send(ctx, trafficReceipt(viewOf(ctx), await ctx.core.orders.getDynamic(actor, { id }))),
  )
  feature.onMember(RECEIPTS.topUp, async (ctx, actor, { orderNo = '' }) => {
    const topUp = await ctx.core.topUps.get(actor, orderNo)
    if (topUp.status === 'paid')
      return send(ctx, topUpReceipt(viewOf(ctx), ctx.core.topUps.network(topUp.network), topUp))
    await ctx.notify(ctx.texts.receipts.notPaid, true)
    return undefined
  })
  return feature
}

/** @returns nothing: the screen stays, and the picture comes below it */
async function send(ctx: BotContext, receipt: Receipt): Promise<undefined> {
  const { receipts: texts } = ctx.texts
  // Drawing can take seconds under load, so the button is answered first.
  await ctx.notify(texts.coming)
  const png = await toPng(receiptSvg(receipt, texts.title, ctx.me.first_name), WRITING)
  const file = new InputFile(Buffer.from(png, 'base64'), `receipt-${receipt.number}.png`)
  await ctx.replyWithPhoto(file, { caption: texts.caption(receipt.number), parse_mode: 'HTML' })
  return undefined
}
