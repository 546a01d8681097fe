import { html, lines } from '../html.ts'
import { reasonInChinese } from './reasons.ts'
import type * as en from '../en/operator.ts'

/** Names a network within a sentence. */
const of = (network: string | undefined) => (network === undefined ? '' : ` ${network} `)
/** Names a network where a sentence begins. */
const first = (network: string | undefined) => (network === undefined ? '' : `${network} `)

/** What the operator's chats show, in Chinese. */
export const operator: typeof en.operator = {
  buttons: {
    payments: (count) => `💸 待处理付款${count > 0 ? `（${count}）` : ''}`,
    decide: (count) => `🛎 待处理${count > 0 ? `（${count}）` : ''}`,
    broadcast: '📣 群发消息',
    figures: '📊 今日数据',
    operator: '🛠 运营菜单',
    assign: '✅ 匹配到充值单',
    assignNow: (credit) => `✅ 入账 ${credit}`,
    ignore: '忽略',
    ignoreNow: '忽略这笔付款',
    reopen: '↩️ 恢复待处理',
    refund: '已人工退款',
    replacements: (count) => `♻️ 更换申请${count > 0 ? `（${count}）` : ''}`,
    payouts: (count) => `🏦 提现${count > 0 ? `（${count}）` : ''}`,
    payoutPaid: '✅ 已打款',
    refusePayout: '✖️ 拒绝',
    copyAddress: '📋 复制地址',
    copyAmount: '📋 复制金额',
    allow: '✅ 同意',
    decline: '✖️ 拒绝',
    withoutReason: '不说明原因',
    refundRest: '↩️ 退还剩余费用',
    send: (chats) => `📣 发送给 ${chats} 个聊天`,
    stop: '停止发送',
    doNotSend: '✖️ 取消发送',
    inAnHour: '🕘 1 小时后',
    tomorrow: '🕘 明天 9:00',
    otherTime: '🕘 其他时间',
    broadcasts: '🗂 历史与计划',
    newBroadcast: '📣 新的群发',
    suppliers: '🏭 供应商',
    profit: '💹 利润',
    exits: '🚪 出口',
    gateway: '📡 网关',
    setUp: '⚙️ 设置',
    backups: '💾 备份',
    backUp: '💾 立即备份',
    addSupplier: '➕ 添加供应商',
    editSupplier: '✏️ 修改',
    removeSupplier: '🗑 删除',
    removeSupplierNow: '🗑 确认删除',
    editExit: '✏️ 修改',
    whiteLists: '🛡 白名单',
    usageFile: '📄 用量文件',
    addExit: '➕ 添加出口',
    removeExit: '🗑 移除',
    removeExitNow: (id) => `🗑 移除出口 ${id}`,
    openSupplier: '🏭 供应商',
    openCall: '🔎 请求',
    offers: '📦 货源',
    doubtful: (count) => `⚠️ 结果不明的请求（${count}）`,
    sync: '🔄 同步',
    reconcile: '⚖️ 对账',
    callback: '🔗 回调地址',
    test: '🩺 测试',
    pause: '⏸ 暂停',
    resume: '▶️ 恢复',
    pauseOffer: '⏸ 停售',
    resumeOffer: '▶️ 恢复销售',
    found: '✅ 已找到',
    absent: '❌ 不存在',
    absentNow: '❌ 视为拒绝并退款',
    periods: { today: '今日', week: '7 天', month: '本月' },
  },
  setUp: html`<b>设置</b>\n\n人员、出口、备份与本聊天的通知。`,
  decide: html`<b>待处理</b>`,
  nothingToDecide: html`暂无待处理事项。`,
  home: lines(
    html`<b>运营菜单</b>`,
    '',
    html`此聊天会收到：无法匹配的付款、链上或账目异常、库存不足，以及每日数据。`,
  ),
  chatId: (id, known) =>
    known
      ? html`此聊天是运营聊天，ID：<code>${id}</code>`
      : html`此聊天的 ID：<code>${id}</code>\n如需设为运营聊天，请将该 ID 写入 <code>OPERATOR_CHAT_IDS</code> 并重启服务。`,
  notNamed: '您不是本店人员，可请店主添加您。在与机器人的私聊中发送 /chatid 可查看您的 ID。',
  inGroups: html`<i>在群组中，请以回复本消息的方式发送。</i>`,
  figures: {
    ofDay: (day) => html`📊 <b>${day}</b>（UTC）`,
    orders: ({ staticOrders, dynamicOrders }) =>
      html`订单：<b>${staticOrders + dynamicOrders}</b>（静态 ${staticOrders}，流量 ${dynamicOrders}）`,
    money: (revenue, refunds) => html`收入：<b>${revenue}</b> · 退款：${refunds}`,
    agents: (part) => html`代理商另得：${part}`,
    margin: (cost, margin) => html`供应商成本：${cost} · 毛利：<b>${margin}</b>`,
    topUps: (count, sum) => html`USDT 充值：<b>${count}</b> 笔（${sum}）`,
    traffic: (used) => html`已用流量：<b>${used}</b>`,
    gateway: (works, healthy, exits) =>
      html`${works ? '' : '⚠️ '}网关：${works ? '运行中' : '未运行'} · 当前正常出口：<b>${healthy}/${exits}</b>`,
    exit: (id, bytes, errors) => html`• 出口 ${id}：${bytes}，出错 ${errors} 次`,
    users: (count) => html`新用户：<b>${count}</b>`,
    jobs: (count) => html`⚠️ 反复失败的后台任务：<b>${count}</b>`,
    job: (id, kind, reason) => html`• ${kind}（${id}）：${reason}`,
    stock: html`库存：`,
    product: (name, free, resting) =>
      resting > 0
        ? html`• ${name}：<b>${free}</b>（另有 ${resting} 个等待更换密码）`
        : html`• ${name}：<b>${free}</b>`,
    resting: (name, resting) => html`• ${name}：<b>${resting}</b>`,
    more: (count) => html`……另有 ${count} 个产品`,
  },
  notices: {
    account_credited_anyway: (username, credited, orderNo) =>
      html`ℹ️ <b>已禁用的账号收到充值</b>\n${username} 的充值单 <code>${orderNo}</code> 已入账 ${credited}：款项属于该用户。`,
    money_wanted: (username, missing) =>
      html`🙋 <b>${username} 请求充值</b>\n余额不足，还差 <b>${missing}</b>。`,
    chain_stale: (network, since, reason) =>
      html`🔴 <b>无法读取${of(network)}链上数据</b>\n${since === undefined ? '至今从未成功读取。' : `上次成功：${since}。`}恢复后付款会自动入账。\n${reasonInChinese(reason)}`,
    chain_back: (network, since) =>
      html`🟢 <b>${first(network)}链上数据已恢复</b>\n自 ${since} 起无法读取，期间的付款现已陆续入账。`,
    chain_bad_key: (setting) =>
      html`🔴 <b>链上数据服务商拒绝了 API 密钥</b>\n请检查 <code>${setting}</code>。`,
    top_up_slots_low: (amount, free) =>
      free > 0
        ? html`⚠️ <b>${amount} USDT 附近的可用金额不多了</b>\n还可开 ${free} 笔充值单；之后用户需更换金额，直到有充值单完成付款或过期。`
        : html`🔴 <b>${amount} USDT 附近的金额已用完</b>\n用户需更换金额，直到有充值单完成付款或过期。`,
    reconciliation_mismatch: (network, chain, books, since) =>
      html`🔴 <b>${first(network)}钱包余额与账目不符</b>\n链上：${chain} USDT\n账目：${books} USDT\n上次一致：${since}。`,
    books_wrong: (count) => html`🔴 <b>账目有误</b>：${count} 处差异`,
    example: (text) => html`• ${text}`,
    stock_resting: html`⚠️ <b>有代理 IP 等待更换密码</b>\n它们的用户名和密码曾交给客户，因此暂不出售。请先在供应商处更换，再在此处更新。`,
    stock_low: (name, free) =>
      free === 0 ? html`🔴 <b>${name} 已售罄</b>` : html`⚠️ <b>${name} 库存不足</b>：剩余 ${free}`,
    supplier_incident: (supplier, failing, checked) =>
      html`🔴 <b>${supplier} 的大量代理 IP 同时失效</b>：${failing} / ${checked}\n恢复之前不会判定任何代理 IP 失效。`,
    call: (callNo, orderNo) =>
      callNo === orderNo
        ? html`订单 <code>${orderNo}</code>`
        : html`请求 <code>${callNo}</code>，订单 <code>${orderNo}</code>`,
    supplier_in_doubt: (supplier, count, cost) =>
      html`🔴 <b>无法确定 ${supplier} 是否已执行请求</b>\n${count} 个代理 IP，约 ${cost}。请在供应商处核实后在此录入结果。`,
    supplier_slow: (supplier, count, since) =>
      html`⏱ <b>${supplier} 迟迟未完成请求</b>\n${count} 个代理 IP，对方已受理，自 ${since} 起一直未完成。请求不会丢失，会继续查询；请同时联系供应商。`,
    supplier_price_changed: (supplier, expected, charged) =>
      html`⚠️ <b>${supplier} 的扣费高于其报价</b>\n实扣 ${charged}，报价 ${expected}。该货源已暂停销售，恢复前请确认价格。`,
    supplier_extra: (supplier, ordered, extra) =>
      html`⚠️ <b>${supplier} 开通了无人使用的代理 IP</b>\n多开或已被占用 ${extra} 个；订购 ${ordered} 个`,
    supplier_short_term: (supplier, until, bought) =>
      html`⚠️ <b>${supplier} 的代理 IP 提前到期</b>\n${until} 到期，应为 ${bought}`,
    disk_low: (full, megabytes, percent) =>
      full
        ? html`🔴 <b>服务器磁盘已满</b>（剩余 ${megabytes} MB）\n在腾出空间之前，无法购买、入账或修改。已受理的内容不会丢失。`
        : html`⚠️ <b>服务器磁盘空间不足</b>：剩余 ${megabytes} MB（${percent}%）\n磁盘写满后将无法购买、入账或修改，请尽快清理。`,
    chat_gone: (who, ofPerson) =>
      ofPerson
        ? html`🔴 <b>无法向 ${who} 发送消息</b>\n对方停用了机器人，或从未启动过它。应发给 ${who} 的消息会保留，待其重新启动机器人后送达。`
        : html`🔴 <b>无法向聊天 <code>${who}</code> 发送消息</b>\n机器人已被移出，或没有发言权限。应发到该聊天的消息会保留，恢复后送达。如果该聊天已不再使用，请将其从 <code>OPERATOR_CHAT_IDS</code> 中删除。`,
    chat_back: (who) => html`🟢 <b>已可重新向 ${who} 发送消息</b>\n保留的消息已送达。`,
    agent_bot_stopped: (agent, username) => html`🤖 <b>代理 ${agent} 的机器人已停止</b> · @${username}`,
    message_refused: (reason, chat, kind, subject) =>
      html`🔴 <b>Telegram 拒收了一条消息</b>\n不会再次发送。Telegram 的说明：<i>${reason}</i>\n发往聊天 <code>${chat}</code>，内容为 <code>${kind} ${subject}</code>`,
    backup_failed: (problem, detail) => html`🔴 <b>备份失败：${problem}</b>\n${reasonInChinese(detail)}`,
    backup_stands: (places) => html`已保存到：${places}`,
    person_joined: (name, role, telegram) =>
      html`👥 <b>${name} 已成为店铺人员</b> · ${role}\n链接由 Telegram 用户 <code>${telegram}</code> 打开。如果不是本人，请将其移除。`,
    backup_works: (size, places) =>
      html`🟢 <b>备份正常</b>\n最近一次备份已试恢复，一切正常：${size}，保存在${places}。`,
    backup_old: (since) =>
      since === undefined
        ? html`🔴 <b>还没有可用的备份</b>\n如果现在磁盘损坏，所有数据都会丢失。`
        : html`🔴 <b>最近一次可用的备份已经过时</b>\n备份时间：${since}。如果现在磁盘损坏，此后的数据都会丢失。`,
    version_newer: (newest, running) =>
      html`🆕 <b>新版本 ${newest} 已发布</b>\n当前运行的版本是 ${running}。更新前请先阅读 CHANGELOG 中的 <i>Upgrading</i>。`,
    stock_low_in: (name, place, free) =>
      free === 0
        ? html`🔴 <b>${name} 在${place}已售罄</b>`
        : html`⚠️ <b>${name} 在${place}库存不足</b>：剩余 ${free}`,
    supplier_balance_expires: (connection, day, over, balance) =>
      over
        ? html`🔴 <b>${connection} 的余额已过期</b>\n最后可用日期为 ${day}。请在供应商处充值并填写新的日期，否则其产品的订单会失败并退款。`
        : html`💰 <b>${connection} 的余额即将过期</b>\n最后可用日期为 ${day}${balance === undefined ? '' : `，剩余 ${balance}`}。请提前在供应商处充值并填写新的日期。`,
    supplier_balance_short: (connection) =>
      html`🔴 <b>${connection} 因余额不足拒绝订单</b>\n客户支付的款项会退回。上次读取的余额本应足够，可能已过期。此通知每天一次。`,
    supplier_balance_low: (connection, balance, days) =>
      html`⚠️ <b>${connection} 的余额不足</b>：${balance}${days === undefined ? '' : `\n按最近 7 天的成本，约可用 ${days} 天。`}\n余额用完后，该供应商的产品将无法出售。`,
    gateway_silent: (since) => html`🔴 <b>网关自 ${since} 起没有响应</b>\n客户无法使用流量。`,
    gateway_back: (since) => html`🟢 <b>网关已恢复</b>\n此前自 ${since} 起没有响应。`,
    pool_without_exit: (pool) => html`🔴 <b>${pool} 没有可用的出口</b>\n客户无法使用该资源池。`,
    pool_with_exit: (pool, since) =>
      html`🟢 <b>${pool} 已有可用的出口</b>\n此前自 ${since} 起没有可用的出口。`,
    webhooks_late: (since, webhooks) =>
      html`🔴 <b>Webhook 推送自 ${since} 起积压</b>\n等待中的 Webhook：${webhooks} 个。推送可能已停止，或消息多于对方的接收能力。`,
    webhooks_back: (since) => html`🟢 <b>Webhook 推送已恢复正常</b>\n此前自 ${since} 起积压。`,
    supplier_differences: (connection) => html`🔴 <b>${connection} 与我方账目不符</b>`,
  },
  suppliers: {
    title: html`<b>供应商</b>`,
    none: html`<b>供应商</b>

没有供应商。`,
    line: (icon, name, balance, days) =>
      html`${icon} <b>${name}</b>：${balance}${days === undefined ? '' : ` · ${days} 天`}`,
    unknownBalance: '余额未知',
    doubtful: (count) => html`⚠️ 供应商处结果不明的请求：<b>${count}</b>`,
    name: (name, driver) => html`🏭 <b>${name}</b>（${driver}）`,
    states: { active: html`🟢 正常`, paused: html`⏸ 已暂停：不销售也不采购` },
    failing: (faults, until) =>
      html`🔴 连续失败的请求：${faults}${until === undefined ? '' : `；在 ${until} 之前不再发送`}`,
    lastError: (reason) => html`最近的错误：${reasonInChinese(reason)}`,
    balance: (balance, at) => html`余额：<b>${balance}</b>，读取时间 ${at}`,
    noBalance: html`余额：尚未读取`,
    expires: (day, over) =>
      over ? html`🔴 已过期：最后可用日期为 <b>${day}</b>` : html`可用至 <b>${day}</b>`,
    forecast: (days) => html`按最近 7 天的成本，约可用 <b>${days}</b> 天`,
    mirror: (offers, at) => html`货源：<b>${offers}</b>，读取时间 ${at}`,
    noMirror: html`货源：尚未读取`,
    products: (count) => html`产品：<b>${count}</b>`,
    calls: (open, doubtful) => html`进行中的请求：<b>${open}</b> · 结果不明：<b>${doubtful}</b>`,
    reconciled: (at) => html`最近对账：${at}`,
    refused: (reason) => `供应商没有正常应答：${reasonInChinese(reason)}`,
    gone: '该内容已不存在。',
    failed: (reason) => html`🔴 <b>供应商未能正常应答</b>\n${reasonInChinese(reason)}`,
    working: html`⏳ 正在查询供应商……`,
    synced: (offers, gone) => html`✅ 已读取货源：<b>${offers}</b>${gone > 0 ? `，已下架：${gone}` : ''}`,
    tested: (balance, offers) =>
      html`✅ 应答正常。余额：<b>${balance}</b>，货源：<b>${offers}</b>。测试没有采购任何东西。`,
    offers: (supplier, count) => html`📦 <b>${supplier} 的货源</b>：${count}`,
    noOffers: (supplier) => html`📦 <b>${supplier} 的货源</b>\n\n尚未读取。`,
    offerLine: (icon, place, type, cost, stock) =>
      html`${icon} ${place}，类型 ${type}：${cost}，库存 ${stock}`,
    offer: (name, offerNo) => html`📦 <b>${name}</b> <code>${offerNo}</code>`,
    place: (place) => html`地区：${place}`,
    cost: (cost) => html`成本：<b>${cost}</b>`,
    stock: (stock, most) => html`库存：<b>${stock}</b> · 每单最多 ${most} 个`,
    seen: (at) => html`最近一次列出：${at}`,
    soldAs: (products) => html`对应产品：${products}`,
    notSold: html`没有产品使用该货源。`,
    byOperator: '由运营者停售',
    foundAbsent: '运营者确认供应商没有此单',
    offerPaused: (reason) => html`⏸ 已停售：${reasonInChinese(reason)}`,
    doubtfulTitle: (count) => html`⚠️ <b>结果不明的请求</b>：${count}`,
    noneDoubtful: html`<b>结果不明的请求</b>\n\n暂无。`,
    call: (kind, callNo) => html`<b>${kind}</b> <code>${callNo}</code>`,
    kinds: { open: '开通', renew: '续费', release: '退订', reset: '更换密码' },
    callStates: {
      intended: html`⏳ 尚未发送`,
      sent: html`⏳ 已发送，暂无应答`,
      accepted: html`⏳ 已受理，处理中`,
      settled: html`✅ 已完成`,
      refused: html`❌ 已拒绝`,
      in_doubt: html`⚠️ 结果不明：无法得知供应商是否已执行，请到您在供应商的账号中查看。`,
    },
    callFor: (supplier, orderNo, username) =>
      html`供应商：${supplier}\n订单：<code>${orderNo}</code>，用户 ${username}`,
    callCount: (count, cost) => html`代理 IP：<b>${count}</b> 个，预计成本 ${cost}`,
    callCost: (cost) => html`实际扣费：${cost}`,
    callSince: (at, attempts) => html`始于 ${at}，尝试次数：${attempts}`,
    providerNumber: (number) => html`供应商单号：<code>${number}</code>`,
    reason: (reason) => html`原因：${reasonInChinese(reason)}`,
    typeNumber: html`请发送该订单在供应商处的单号。系统会据此查询，并交付其结果。`,
    confirmAbsent: html`<b>确定供应商没有执行这个请求？</b>\n\n之后将视为拒绝，并退款给客户。如果供应商其实已执行，您将为无人使用的代理 IP 付费。`,
    callback: (url) => html`🔗 <b>回调地址</b>\n请填入您在供应商处的账号：\n<code>${url}</code>`,
    callbackPath: (path, local) =>
      lines(
        html`🔗 <b>回调地址</b>`,
        local === undefined
          ? html`未设置 <code>PUBLIC_URL</code>，外部无法得知本服务器的地址。`
          : html`<code>PUBLIC_URL</code> 是 ${local}，只有本机能打开：请改为外部可访问的地址。`,
        html`域名之后的路径为`,
        html`<code>${path}</code>`,
      ),
    same: (orders, running) =>
      html`✅ <b>与供应商账目一致</b>：对方 7 天内订单 ${orders} 个，运行中的代理 IP ${running} 个。`,
    differ: (count) => html`🔴 <b>与供应商账目不一致</b>：${count} 处`,
    decided: html`✅ 已处理，后续操作将在几秒内完成。`,
    differences: {
      counted: (what, count) => html`• ${what}：<b>${count}</b>`,
      example: (what, ours, theirs) => html`<code>${what}</code>：我方 ${ours}，对方 ${theirs}`,
      states: { settled: '已完成', refused: '已拒绝', released: '已退订', unknown: '查无此单' },
      kinds: {
        unknown_order: '并非我方下的订单',
        missing_order: '对方查不到的我方订单',
        refused_order: '已拒绝却被执行的订单',
        amount: '金额不同的订单',
        not_ours: '在对方运行却不属于任何客户的代理 IP',
        released_runs: '已退订却仍在运行的代理 IP',
        not_running: '在对方已停止的客户代理 IP',
        expiry: '到期时间不同的代理 IP',
      },
    },
  },
  supplierForm: {
    ask: (drivers) =>
      lines(
        html`➕ <b>添加供应商</b>`,
        '',
        html`请在一条消息中发送以下各行：`,
        html`<code>名称：acme\n类型：ipipv\n地址：https://api.example.com\n账号：…\n密钥：…</code>`,
        '',
        html`类型：${drivers}。还可以写：<code>汇率</code>、<code>退款小时数</code>、<code>并发</code>、<code>余额提醒</code>、<code>天数提醒</code>、<code>余额有效期</code>（日期如 2026-12-31，或“无”）。`,
        html`消息中含有密钥，我会立即删除；在群组中，我须是管理员才能删除。`,
      ),
    askChange: (name) =>
      lines(
        html`✏️ <b>${name}</b>`,
        '',
        html`请发送要修改的内容，每行一项，例如 <code>余额提醒：50</code>：<code>地址</code>、<code>账号</code>、<code>密钥</code>、<code>汇率</code>、<code>退款小时数</code>、<code>并发</code>、<code>余额提醒</code>、<code>天数提醒</code>、<code>余额有效期</code>（最后可用日期，如 2026-12-31，或“无”）。未写的保持不变。`,
        '',
        html`我会立即删除您的消息；在群组中，我须是管理员才能删除。`,
      ),
    askRemove: (name) =>
      html`<b>要删除 ${name} 及其密钥吗？</b>\n\n只有没有产品使用、且从未交付过的供应商才能删除。`,
    added: html`✅ <b>已添加。</b>几秒内会读取其货源。产品使用货源之前不会采购。`,
    changed: html`✅ <b>已修改。</b>`,
    notALine: '有一行不是“名称：值”的形式。它可能是密钥，所以这里不重复显示。',
    labels: {
      name: '名称',
      driver: '类型',
      url: '地址',
      key: '账号',
      secret: '密钥',
      rate: '汇率',
      refundHours: '退款小时数',
      concurrency: '并发',
      alarmBalance: '余额提醒',
      alarmDays: '天数提醒',
      balanceExpiresOn: '余额有效期',
    },
    rules: {
      not_a_supplier_name: '2-32 个字符，限 a-z、0-9 和 -',
      name_of_own_stock: '这是自有库存的名称',
      supplier_exists: '已有同名的供应商',
      no_such_driver: '没有这种类型',
      not_a_supplier_url: '应为 https://api.example.com 这样的地址，不含用户名、? 和 #',
      supplier_url_not_encrypted: '必须是 https；http 仅限本机和内网',
      supplier_is_this_service: '这是本服务自身，不能向自己采购',
      not_a_date: '应为日期，例如 2026-12-31',
      not_a_rate: '应为大于 0 的数，最多六位小数',
      credentials_cannot_be_read: '请重新发送账号和密钥：已保存的是用另一个 SECRETS_KEY 加密的',
      supplier_has_products: '仍有产品使用它，请改为暂停。',
      supplier_has_calls: '它交付过代理 IP，记录须保留，请改为暂停。',
      nothing_to_change: '没有写要修改的内容',
    },
  },
  exits: {
    title: html`🚪 <b>出口</b>`,
    none: html`暂无出口，无法转发流量。`,
    pool: (pool) => html`<b>${pool}</b>`,
    line: (icon, id, place) => html`${icon} #${id} ${place}`,
    button: (icon, id, country) => `${icon} #${id} ${country}`,
    anywhere: '不限地区',
    exit: (id, pool) => html`🚪 <b>出口 ${id}</b>，资源池 ${pool}`,
    states: {
      healthy: html`🟢 正常`,
      failing: html`🔴 不可用`,
      paused: html`⏸ 已暂停：不接受新连接`,
      unknown: html`⚪ 网关尚未测试`,
    },
    kind: (kind) => html`类型：${kind}`,
    kinds: {
      direct: '直连，由网关本机出口',
      proxy: '上游代理',
      vendor: '供应商网关',
    },
    address: (address) => html`地址：<code>${address}</code>`,
    place: (place) => html`地区：${place}`,
    template: (template) => html`用户名模板：<code>${template}</code>`,
    remoteOnly: html`⚠️ 目标域名只由该出口解析：出口能访问的内部地址，用户也能访问。`,
    lastError: (reason) => html`最近的错误：${reason}`,
    connect: (ms) => html`连接耗时 ${ms} 毫秒`,
    today: (bytes, errors) => html`今日：<b>${bytes}</b>，错误：<b>${errors}</b>`,
    total: (bytes, errors, connections) => html`累计：${bytes}，错误：${errors}，连接：${connections}`,
    reported: (at) => html`报告时间：${at}`,
    gone: '该出口已不存在。',
    removed: (id) => `出口 ${id} 已移除。`,
    trying: html`⏳ 正在测试出口……`,
    works: (connectMs, totalMs, address) =>
      html`✅ <b>可用</b>：${connectMs} 毫秒连上出口，${totalMs} 毫秒到达目标${address === undefined ? '' : `，对外地址 ${address}`}。`,
    fails: (reason, stage) => html`🔴 <b>不可用</b>（${stage}）：${reason}`,
    stages: {
      connect: '建立连接',
      handshake: '代理握手',
      credentials: '验证用户名和密码',
      echo: '访问检测地址',
      done: '完成',
    },
    faults: {
      'no connection': '无法连接',
      'no connection in time': '连接超时',
      'no answer in time': '没有及时应答',
      'no TLS connection': '无法建立 TLS 连接',
      'it ended the connection': '对方断开了连接',
      'it does not speak this protocol': '对方不支持该协议',
      'it does not speak HTTP': '对方不支持 HTTP',
      'its address is malformed': '地址格式有误',
      'it refuses the credentials': '用户名或密码被拒绝',
      'it answered': '对方返回错误',
    },
    faultOf: (fault, code) => (code === undefined ? fault : `${fault}（${code}）`),
    askRemove: html`<b>要移除该出口及其登录信息吗？</b>\n\n之后不再有新连接，已建立的连接会继续。`,
    added: html`✅ <b>已添加。</b>网关将在几秒内开始使用。`,
    askLine: lines(
      html`➕ <b>添加出口</b>`,
      '',
      html`请发送一行，例如：`,
      html`<code>--pool dynamic_1 --url socks5://user:pass@host:port --country us</code>`,
      html`<code>--pool dynamic_1 --direct</code>`,
      html`<code>--pool dynamic_1 --url http://user:pass@host:port --template {user}-country-{country}-session-{session}</code>`,
      '',
      html`还可以加上 <code>--city</code>；如果只有出口能解析域名，请加 <code>--resolve remote-only</code>。消息中含有密码，我会立即删除；在群组中，我须是管理员才能删除。`,
    ),
    notALine: '请发送 --pool 和资源池，并在 --url（地址）与 --direct 中选择一个。',
    askChange: (id) =>
      lines(
        html`✏️ <b>出口 ${id}</b>`,
        '',
        html`请发送要修改的内容，例如 <code>--country us --city Dallas</code> 或 <code>--url socks5://user:pass@host:port</code>。`,
        html`<code>--direct</code> 去掉地址，<code>--city -</code> 去掉城市。未写的保持不变。`,
        '',
        html`我会立即删除您的消息；在群组中，我须是管理员才能删除。`,
      ),
    notAChange: '请发送选项，例如 --country us；--url 和 --direct 不能同时使用。',
    changed: html`✅ <b>已修改。</b>网关立即生效。`,
    rules: {
      no_such_pool: '资源池必须是 dynamic_1、dynamic_2 或 dynamic_3。',
      not_an_exit_url:
        '地址格式为 socks5://user:pass@host:port，也可以是 http:// 或 https://；用户名和密码中的 @ : / ? # 请写成 %40 %3A %2F %3F %23。',
      not_a_country_code: '国家必须是两位代码，例如 us。',
      not_a_city: '城市必须是城市代码或英文城市名。',
      city_without_country: '指定城市时还需要 --country。',
      not_a_template:
        '模板由字母、数字、- _ . @ = + ~ 以及 {user}、{country}、{city}、{session}、{lifetime} 组成，每个最多一次。',
      template_without_user: '模板必须包含 {user}。',
      template_without_credentials: '使用模板时，地址中必须有用户名。',
      place_of_a_vendor: '供应商网关通过模板选择地区，请去掉 --country。',
      not_a_way_to_resolve: '--resolve 只能是 gateway 或 remote-only。',
      resolve_of_the_gateway: '--resolve remote-only 只用于代理出口，不能与 --direct 一起使用。',
      exit_cannot_be_read: '其登录信息由另一个 SECRETS_KEY 加密：请移除后重新添加。',
    },
  },
  askedMoney: {
    other: '✏️ 其他金额',
    done: {
      given: (username, sum) => html`✅ 已为 <b>${username}</b> 充值 ${sum}，并已通知。`,
      declined: (username, sum) => html`✖️ 已拒绝：已告知 <b>${username}</b> 不会获得 ${sum}。`,
    },
    before: {
      given: (username, sum) => html`<b>${username}</b> 已获得 ${sum}，本次未做任何操作。`,
      declined: (username, sum) => html`<b>${username}</b> 的 ${sum} 请求已被拒绝，本次未做任何操作。`,
      over: (username) =>
        html`该请求已失效：<b>${username}</b> 之后又提出了新的请求、已获得余额，或已被删除。本次未做任何操作。`,
    },
    disabled: '该账号已禁用，未充值。请先启用，之后此按钮仍可使用。',
  },
  backups: {
    title: html`💾 <b>备份</b>`,
    every: (minutes) =>
      minutes % 60 === 0 ? html`每 ${minutes / 60} 小时一次` : html`每 ${minutes} 分钟一次`,
    onlyAsked: html`仅手动备份：<code>BACKUP_EVERY</code> 已关闭。`,
    none: html`还没有备份。`,
    restore: (command, asRoot) =>
      html`<b>要恢复最近一份完好的备份</b>，请在服务器的终端中${asRoot ? '以 root 身份' : ''}输入：\n<pre>${command}</pre>`,
    restoreStopped: (command) =>
      html`<b>要恢复最近一份完好的备份</b>，请先停止服务，再在终端中输入：\n<pre>${command}</pre>`,
    restoreFile: html`其中 <code>FILE</code> 是从备份聊天保存到服务器上的文件。`,
    restoreStart: (command) =>
      html`命令会列出备份之后售出的内容，请按提示处理，然后重新启动：\n<pre>${command}</pre>`,
    underWay: html`⏳ 正在备份。`,
    good: (time, size, places) => html`✅ ${time} · ${size} · ${places}`,
    failed: (time, problem, detail) =>
      html`🔴 ${time} · <b>${problem}</b>\n<i>${reasonInChinese(detail)}</i>`,
    places: { folder: '文件夹', s3: 'S3', chat: '聊天' },
    problems: {
      no_room: '磁盘空间不足',
      damaged: '无法恢复',
      unbalanced: '账目不平',
      folder: '未能存入文件夹',
      s3: '未能存入 S3',
      chat: '未能发送到聊天',
      failed: '备份中断',
    },
  },
  usageFile: {
    ask: html`📄 <b>导入其他网关的用量</b>\n\n请发送文件或直接粘贴，表头为 <code>account,bytes,report_id</code>，依次为客户端使用的用户名、用量（字节）和网关的上报编号。整份文件全部计入或全部不计，每条上报只计一次，可放心重复发送。`,
    counted: (traffic, reports) => html`✅ 已计入 <b>${traffic}</b>（${reports} 条上报）。`,
    known: (reports) => html`此前已计入：${reports} 条`,
    beyond: (traffic) => html`超出剩余流量：${traffic}`,
    refused: html`❌ <b>没有计入任何用量。</b>请修改文件后重新发送。`,
  },
  whiteLists: {
    ask: html`🛡 <b>白名单</b>\n\n请发送地址或网段，例如 <code>203.0.113.7</code>，我会告诉您它在谁的白名单中。`,
    title: html`🛡 <b>白名单中的地址</b>`,
    line: (cidr, username, product, day) =>
      html`• <code>${cidr}</code>：<b>${username}</b>，${product}，自 ${day}`,
    nobody: html`🛡 这个地址不在任何白名单中。`,
    free: (cidr) => `✂️ ${cidr}`,
    other: '🔎 查询其他地址',
    askFree: (cidr, username) =>
      html`<b>要把 ${cidr} 从 ${username} 的白名单中移除吗？</b>\n\n之后该地址的客户端需要用户名和密码。客户会收到通知，地址未被占用时可重新添加。`,
    freeNow: '✂️ 从白名单移除',
    freed: (cidr, username) => `${cidr} 已移除，已通知 ${username}。`,
  },
  gateway: {
    title: html`📡 <b>网关</b>`,
    running: (since) => html`🟢 网关：自 ${since} 起运行`,
    silent: (since) => html`🔴 网关：<b>自 ${since} 起没有响应</b>`,
    stopped: (since) => html`⏹ 网关：自 ${since} 起已停止`,
    never: html`⚪ 网关：尚未连接过`,
    connections: (connections, workers) => html`连接：<b>${connections}</b> · 进程：${workers}`,
    today: (bytes) => html`今日流量：<b>${bytes}</b>`,
    accepted: (count) => html`累计放行：${count}`,
    refused: html`累计拒绝：`,
    reason: (reason, count) => html`• ${reason}：<b>${count}</b>`,
    reasons: {
      bad_request: '不是有效的代理请求',
      coding_unknown: '不支持的传输编码',
      bad_target: '目标格式错误',
      bad_parameter: '用户名中有未知参数',
      unknown_country: '不提供该国家',
      unknown_city: '不提供该城市',
      credentials_needed: '缺少用户名',
      credentials_wrong: '用户名或密码错误',
      too_many_failed_logins: '密码错误次数过多',
      traffic_exhausted: '流量已用完',
      target_refused: '不允许的目标',
      port_refused: '不允许的端口',
      too_many_connections: '连接过多',
      target_unreachable: '目标无法连接',
      target_timeout: '目标没有应答',
      exit_failed: '出口故障',
      exit_timeout: '出口没有应答',
      no_exit: '该地区没有出口',
      shop_unreachable: '无法连接店铺服务',
      draining: '网关正在停止',
    },
  },
  sales: {
    title: {
      sales: (count, sum) => html`🛒 <b>成交 ${count} 笔</b>：${sum}`,
      sales_of_day: (count, sum) => html`🛒 <b>自上次汇总以来成交 ${count} 笔</b>：${sum}`,
    },
    who: (username, agent) => (agent === null ? username : `${username}（代理商 ${agent}）`),
    what: {
      order: (count, product) => `${count} × ${product}`,
      renewal: (count, product) => `续费 ${count} × ${product}`,
      traffic: (traffic, product) => `${traffic} ${product}`,
    },
    line: (who, what, sum) => html`• <b>${who}</b>：${what}，${sum}`,
    more: (count) => html`……另有 ${count} 笔`,
  },
  profit: {
    title: (from, to) => html`💹 <b>利润</b> ${from === to ? from : `${from} – ${to}`}（UTC）`,
    none: html`没有销售。`,
    product: (name, revenue, refunds) => html`<b>${name}</b>\n收入 ${revenue}，退款 ${refunds}`,
    agents: (part) => html`代理商另得：${part}`,
    margin: (cost, margin) => html`成本 ${cost}，毛利 <b>${margin}</b>`,
    unknownCost: html`成本未知`,
    unknownFor: (count) => html`自有库存中有 ${count} 个代理 IP 成本未知，毛利未扣除其成本`,
    expected: (cost) => html`成本中有 ${cost} 为预计，尚未扣费`,
    more: (count) => html`……另有 ${count} 个产品`,
    total: (revenue, refunds) => html`<b>合计</b>\n收入 <b>${revenue}</b>，退款 ${refunds}`,
    totalMargin: (cost, margin) => html`成本已知的产品：成本 ${cost}，毛利 <b>${margin}</b>`,
  },
  payouts: {
    title: (count) => html`🏦 <b>待打款提现</b>：${count}`,
    none: html`🏦 <b>待打款提现</b>\n\n暂无。`,
    button: (username, usdt) => `${username} · ${usdt} USDT`,
    wanted: (username, sum) => html`🏦 <b>${username} 申请提现 ${sum}</b>`,
    number: (payoutNo) => html`提现单 <code>${payoutNo}</code>`,
    send: (usdt, address) =>
      html`请打款 <code>${usdt}</code> <b>USDT</b>（TRC20）至\n<code>${address}</code>`,
    requestedAt: (time) => html`申请时间：${time}`,
    origin: html`<b>资金来源</b>（代理商及其下级用户）`,
    toppedUp: (sum) => html`充值：${sum}`,
    creditedAsPaid: (sum) => html`您标记为实收的入账：${sum}`,
    paidOut: (sum) => html`其他提现：${sum}`,
    byAgent: (sum, all) => html`代理商自己为下级用户下单所得：${sum}（共 ${all}）`,
    gone: '该提现已处理或已取消。',
    askTxid: html`请先从您的钱包打款，再发送<b>交易哈希</b>（64 位数字和字母）。`,
    whyNot: html`请发送拒绝原因，代理商会看到。金额将退回其可用收益。`,
    paid: (username, usdt) => html`✅ 已登记：${username} 收到 ${usdt} USDT，已通知对方。`,
    refused: (username) => html`✖️ 已拒绝，并已通知 ${username}。`,
  },
  replacements: {
    title: (count) => html`<b>待审核的更换申请</b>：${count}`,
    none: html`<b>待审核的更换申请</b>\n\n暂无。`,
    wanted: (username) => html`♻️ <b>${username} 申请更换代理 IP</b>`,
    proxy: (address, product) => html`代理 IP：<code>${address}</code>（${product}）`,
    reason: (reason) => html`原因：${reason}`,
    ground: {
      dead: html`检测结果：已失效。`,
      young: html`开通不足 24 小时。`,
      none: html`检测结果未显示失效。`,
    },
    gone: '该申请已处理。',
    noneFree: html`⚠️ 没有同等的代理 IP。`,
    whyNot: html`请发送拒绝的原因，客户会看到。`,
    results: {
      done: html`✅ 代理 IP 已更换，已通知客户。`,
      processing: html`⏳ 正在购买新的代理 IP。`,
      refunded: html`↩️ 剩余期限已退款，已通知客户。`,
      declined: html`✖️ 已拒绝，已通知客户。`,
    },
  },
  payments: {
    title: (count) => html`<b>待处理付款</b>：${count}`,
    none: html`<b>待处理付款</b>\n\n暂无。`,
    arrived: (usdt) => html`💸 <b>收到 ${usdt} USDT，无法匹配任何充值单</b>`,
    why: {
      no_order: html`没有等待此金额的充值单。`,
      duplicate_payment: html`对应的充值单已付款。`,
      user_deleted: html`对应充值单的账号已删除。`,
      not_creditable: html`对应的充值单已无法自动入账。`,
      absurd_amount: html`金额大得不合理，很可能是伪造的转账。`,
    },
    facts: (from, time) => lines(html`来自：<code>${from}</code>`, html`时间：${time}`),
    txid: (network, txid) => html`交易（${network}）：<code>${txid}</code>`,
    claims: html`🙋 <b>用户认领，对应：</b>`,
    near: html`可能对应：`,
    nearTopUp: (orderNo, username, amount, status) =>
      html`${status} <code>${orderNo}</code>：${username}，${amount} USDT`,
    nearButton: (status, username, amount) => `${status} ${username} · ${amount} USDT`,
    button: (usdt, date) => `${usdt} USDT · ${date}`,
    gone: '这笔付款已处理。',
    whichTopUp: (near) =>
      near
        ? html`这笔付款对应哪个充值单？请点选，或发送其他充值单号。`
        : html`请发送这笔付款对应的充值单号。`,
    noTopUp: '没有这个充值单号。',
    confirm: ({ username, orderNo, asked, received, credit }) =>
      lines(
        html`<b>确认匹配这笔付款？</b>`,
        '',
        html`充值单：<code>${orderNo ?? ''}</code>`,
        html`用户：<b>${username ?? ''}</b>`,
        html`应付：${asked ?? ''} USDT`,
        html`实收：${received ?? ''} USDT`,
        html`将入账：<b>${credit ?? ''}</b>`,
      ),
    assigned: (credit, username) => html`✅ 已为 <b>${username}</b> 入账 <b>${credit}</b>，并已通知用户。`,
    ignore: html`<b>忽略这笔付款？</b>\n\n忽略后不会为任何人入账，这笔付款也不再出现在列表中。`,
    ignored: html`已忽略这笔付款。`,
    refundNote: html`<b>已人工退款</b>\n\n请先用您的钱包退回款项，再发送一条备注说明退款方式，例如退款交易哈希。备注后这笔付款将从列表中移除。`,
    refunded: html`✅ 退款已记录。`,
  },
  broadcast: {
    title: html`<b>群发消息</b>`,
    toWhom: html`发给谁？数字为已登录且接收公告与消息的聊天数。`,
    anyLanguage: '全部',
    audiences: {
      all: (count) => `所有人（${count}）`,
      agents: (count) => `代理商（${count}）`,
      users: (count) => `普通用户（${count}）`,
      sub_users: () => '某代理商的下级用户…',
      with_proxies: (count) => `有可用代理 IP（${count}）`,
      with_traffic: (count) => `有剩余流量（${count}）`,
      short: (count) => `余额不足待付款（${count}）`,
      idle: (count) => `30 天未购买（${count}）`,
    },
    nobody: '目前没有可接收的聊天。',
    audience: {
      all: () => '所有人',
      agents: () => '代理商',
      users: () => '普通用户',
      sub_users: (agent) => `${agent} 的下级用户`,
      with_proxies: () => '有可用代理 IP 的用户',
      with_traffic: () => '有剩余流量的用户',
      short: () => '因余额不足待付款的用户',
      idle: () => '30 天未购买的用户',
      picked: (agent) => `${agent} 的部分下级用户`,
    },
    whichAgent: html`发给谁的下级用户？请发送代理商的用户名。`,
    type: (text, caption) =>
      html`请发送最多 ${text} 个字符的文字，或一张图片（说明最多 ${caption} 个字符）。内容和格式会原样发出。`,
    when: (now) =>
      html`什么时候发送？例如 <code>09:30</code> 或 <code>2026-11-24 09:30</code>。本聊天当前时间：${now}；其他时区请加上与 UTC 的时差：<code>09:30 +8</code>。`,
    noTime: '这不是时间，请按 09:30 或 2026-11-24 09:30 的格式发送。',
    preview: (chats) => html`👆 <b>对方将看到以上内容</b>：${chats} 个聊天。`,
    to: (audience, language) => html`对象：${audience}${language === undefined ? '' : `（${language}）`}`,
    states: {
      draft: html`尚未发送。`,
      scheduled: html`🕘 <b>已计划</b>`,
      sending: html`⏳ <b>正在发送……</b>`,
      done: html`✅ <b>已发送</b>`,
      cancelled: html`🚫 <b>已停止</b>`,
    },
    icons: { draft: '✏️', scheduled: '🕘', sending: '⏳', done: '✅', cancelled: '🚫' },
    startsAt: (time) => html`开始时间：<b>${time}</b>`,
    list: html`<b>群发消息</b>，时间为开始发送的时间。`,
    none: html`暂无。`,
    progress: ({ sent, blocked, left, status }) =>
      html`已发送：<b>${sent}</b> · 已屏蔽机器人：${blocked}${status === 'sending' ? ` · 剩余：${left}` : left > 0 ? ` · 未发送：${left}` : ''}`,
  },
}
