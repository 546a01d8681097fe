import { html, lines } from '../../kit/html.ts'
import type * as en from './texts.en.ts'

/** What the operator's chats show, in Chinese. */
export const operator: typeof en.operator = {
  buttons: {
    payments: (count) => `💸 待处理付款${count > 0 ? `（${count}）` : ''}`,
    broadcast: '📣 群发消息',
    figures: '📊 今日数据',
    operator: '🛠 运营菜单',
    assign: '✅ 匹配到充值单',
    assignNow: (credit) => `✅ 入账 ${credit}`,
    ignore: '忽略',
    ignoreNow: '忽略这笔付款',
    refund: '已人工退款',
    replacements: (count) => `♻️ 更换申请${count > 0 ? `（${count}）` : ''}`,
    allow: '✅ 同意',
    decline: '✖️ 拒绝',
    withoutReason: '不说明原因',
    refundRest: '↩️ 退还剩余费用',
    send: (chats) => `📣 发送给 ${chats} 个聊天`,
    stop: '停止发送',
    suppliers: '🏭 供应商',
    profit: '💹 利润',
    exits: '🚪 出口',
    gateway: '📡 网关',
    backups: '💾 备份',
    backUp: '💾 立即备份',
    addExit: '➕ 添加出口',
    removeExit: '🗑 移除',
    removeExitNow: (id) => `🗑 移除出口 ${id}`,
    openSupplier: '🏭 供应商',
    openCall: '🔎 请求',
    offers: '📦 货源',
    doubtful: (count) => `⚠️ 结果不明的请求（${count}）`,
    sync: '🔄 同步',
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
    margin: (cost, margin) => html`供应商成本：${cost} · 其毛利：<b>${margin}</b>`,
    topUps: (count, sum) => html`USDT 充值：<b>${count}</b> 笔（${sum}）`,
    traffic: (used) => html`已用流量：<b>${used}</b>`,
    users: (count) => html`新用户：<b>${count}</b>`,
    jobs: (count) => html`⚠️ 反复失败的后台任务：<b>${count}</b>`,
    job: (id, kind, reason) => html`• #${id} <code>${kind}</code>：${reason}`,
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
      html`ℹ️ <b>已禁用的账户收到充值</b>\n${username} 的充值单 <code>${orderNo}</code> 已入账 ${credited}：这是用户自己的钱。`,
    money_wanted: (username, missing) =>
      html`🙋 <b>${username} 请求充值</b>\n余额不足，还差 ${missing}。充值命令：<code>npm run operator -- balance ${username} AMOUNT --remark TEXT</code>`,
    chain_stale: (since, reason) =>
      html`🔴 <b>无法读取链上数据</b>\n${since === undefined ? '至今从未成功读取。' : `上次成功：${since}。`}恢复后付款会自动入账。\n${reason}`,
    chain_back: (since) => html`🟢 <b>链上数据已恢复</b>\n自 ${since} 起无法读取，期间的付款现已陆续入账。`,
    chain_bad_key: html`🔴 <b>链上数据服务商拒绝了 API 密钥</b>\n请检查 <code>TRON_API_KEY</code>。`,
    top_up_slots_low: (amount, free) =>
      free > 0
        ? html`⚠️ <b>${amount} USDT 附近的可用金额不多了</b>\n还可开 ${free} 笔充值单；之后用户需更换金额，直到有充值单付款或过期。`
        : html`🔴 <b>${amount} USDT 附近的金额已用完</b>\n用户需更换金额，直到有充值单付款或过期。`,
    reconciliation_mismatch: (chain, books, since) =>
      html`🔴 <b>钱包余额与账目不符</b>\n链上：${chain} USDT\n账目：${books} USDT\n上次一致：${since}。`,
    books_wrong: (count) => html`🔴 <b>账目有误</b>：${count} 处差异`,
    example: (text) => html`• ${text}`,
    stock_resting: html`⚠️ <b>有代理等待更换密码</b>\n它们的用户名和密码曾交给客户，因此暂不出售。请先在供应商处更换，再在此处更新。`,
    resting_command: html`待填写的清单：<code>npm run operator -- stock resting</code>`,
    stock_low: (name, free) =>
      free === 0 ? html`🔴 <b>${name} 已售罄</b>` : html`⚠️ <b>${name} 库存不足</b>：剩余 ${free}`,
    supplier_incident: (supplier, failing, checked) =>
      html`🔴 <b>${supplier} 的大量代理同时失效</b>：${failing} / ${checked}\n恢复之前不会判定任何代理失效。`,
    call: (callNo, orderNo) =>
      callNo === orderNo
        ? html`订单 <code>${orderNo}</code>`
        : html`请求 <code>${callNo}</code>，订单 <code>${orderNo}</code>`,
    supplier_in_doubt: (supplier, count, cost) =>
      html`🔴 <b>无法确定 ${supplier} 是否已执行请求</b>\n${count} 个代理，约 ${cost}。请在供应商处核实后录入结果：<code>npm run operator -- supplier resolve</code>`,
    supplier_slow: (supplier, count, since) =>
      html`⏱ <b>${supplier} 迟迟未完成请求</b>\n${count} 个代理，对方已受理，自 ${since} 起一直未完成。请求不会丢失，会继续查询；请同时联系供应商。`,
    supplier_price_changed: (supplier, expected, charged) =>
      html`⚠️ <b>${supplier} 的扣费高于其报价</b>\n实扣 ${charged}，报价 ${expected}。该商品已暂停销售，恢复前请确认价格。`,
    supplier_extra: (supplier, ordered, extra) =>
      html`⚠️ <b>${supplier} 开通了无人使用的代理</b>\n多开或已被占用 ${extra} 个；订购 ${ordered} 个`,
    supplier_short_term: (supplier, until, bought) =>
      html`⚠️ <b>${supplier} 的代理提前到期</b>\n${until} 到期，应为 ${bought}`,
    disk_low: (full, megabytes, percent) =>
      full
        ? html`🔴 <b>服务器磁盘已满</b>（剩余 ${megabytes} MB）\n在腾出空间之前，无法购买、入账或修改。已受理的内容不会丢失。`
        : html`⚠️ <b>服务器磁盘空间不足</b>：剩余 ${megabytes} MB（${percent}%）\n磁盘写满后将无法购买、入账或修改，请尽快清理。`,
    backup_failed: (problem, detail) => html`🔴 <b>备份失败：${problem}</b>\n${detail}`,
    backup_stands: (places) => html`已保存到：${places}`,
    backup_works: (size, places) =>
      html`🟢 <b>备份正常</b>\n最近一次备份已试恢复，一切正常：${size}，保存在${places}。`,
    backup_old: (since) =>
      since === undefined
        ? html`🔴 <b>还没有可用的备份</b>\n如果现在磁盘损坏，所有数据都会丢失。`
        : html`🔴 <b>最近的可用备份已过旧</b>\n备份时间：${since}。如果现在磁盘损坏，此后的数据都会丢失。`,
    stock_low_in: (name, place, free) =>
      free === 0
        ? html`🔴 <b>${name} 在${place}已售罄</b>`
        : html`⚠️ <b>${name} 在${place}库存不足</b>：剩余 ${free}`,
    supplier_balance_low: (connection, balance, days) =>
      html`⚠️ <b>${connection} 的余额不足</b>：${balance}${days === undefined ? '' : `\n按最近 7 天的成本，约可用 ${days} 天。`}\n余额用完后，该供应商的产品将无法出售。`,
    gateway_silent: (since) =>
      html`🔴 <b>网关自 ${since} 起没有响应</b>\n客户无法使用流量。详情：<code>npm run operator -- gateway status</code>`,
    gateway_back: (since) => html`🟢 <b>网关已恢复</b>\n自 ${since} 起曾没有响应。`,
    pool_without_exit: (pool) =>
      html`🔴 <b>${pool} 没有可用的出口</b>\n客户无法使用该资源池。详情：<code>npm run operator -- exit list</code>`,
    pool_with_exit: (pool, since) => html`🟢 <b>${pool} 已有可用的出口</b>\n自 ${since} 起曾没有可用出口。`,
    supplier_differences: (connection) => html`🔴 <b>${connection} 与我方账目不符</b>`,
    supplier_differences_command: (connection) =>
      html`查看全部：<code>npm run operator -- supplier reconcile ${connection}</code>`,
  },
  suppliers: {
    title: html`<b>供应商</b>`,
    none: html`<b>供应商</b>\n\n暂无。添加命令：<code>npm run operator -- supplier add NAME --driver DRIVER --url URL --key KEY --secret -</code>`,
    line: (icon, name, balance, days) =>
      html`${icon} <b>${name}</b>：${balance}${days === undefined ? '' : ` · ${days} 天`}`,
    unknownBalance: '余额未知',
    doubtful: (count) => html`⚠️ 供应商处结果不明的请求：<b>${count}</b>`,
    name: (name, driver) => html`🏭 <b>${name}</b>（${driver}）`,
    states: { active: html`🟢 正常`, paused: html`⏸ 已暂停：不销售也不采购` },
    failing: (faults, until) =>
      html`🔴 连续失败的请求：${faults}${until === undefined ? '' : `；在 ${until} 之前不再发送`}`,
    lastError: (reason) => html`最近的错误：${reason}`,
    balance: (balance, at) => html`余额：<b>${balance}</b>（${at}）`,
    noBalance: html`余额：尚未读取`,
    forecast: (days) => html`按最近 7 天的成本，约可用 <b>${days}</b> 天`,
    mirror: (offers, at) => html`货源：<b>${offers}</b>，读取时间 ${at}`,
    noMirror: html`货源：尚未读取`,
    products: (count) => html`产品：<b>${count}</b>`,
    calls: (open, doubtful) => html`进行中的请求：<b>${open}</b> · 结果不明：<b>${doubtful}</b>`,
    reconciled: (at) => html`最近对账：${at}`,
    gone: '该内容已不存在。',
    failed: (reason) => html`🔴 <b>供应商未能正常应答</b>\n${reason}`,
    working: html`⏳ 正在询问供应商……`,
    synced: (offers, gone) => html`✅ 已读取货源：<b>${offers}</b>${gone > 0 ? `，已下架：${gone}` : ''}`,
    tested: (balance, offers) =>
      html`✅ 应答正常。余额：<b>${balance}</b>，货源：<b>${offers}</b>。未购买任何内容。`,
    offers: (supplier, count) => html`📦 <b>${supplier} 的货源</b>：${count}`,
    noOffers: (supplier) => html`📦 <b>${supplier} 的货源</b>\n\n尚未读取。`,
    offerLine: (icon, place, cost, stock) => html`${icon} ${place}：${cost}，库存 ${stock}`,
    offerButton: (icon, place, cost) => `${icon}${place} · ${cost}`,
    offer: (name, offerNo) => html`📦 <b>${name}</b> <code>${offerNo}</code>`,
    place: (place) => html`地区：${place}`,
    cost: (cost) => html`成本：<b>${cost}</b>`,
    stock: (stock, most) => html`库存：<b>${stock}</b> · 每单最多 ${most} 个`,
    seen: (at) => html`最近一次列出：${at}`,
    soldAs: (products) => html`对应产品：${products}`,
    notSold: html`没有产品使用它。`,
    offerPaused: (reason) => html`⏸ 已停售：${reason}`,
    doubtfulTitle: (count) => html`⚠️ <b>结果不明的请求</b>：${count}`,
    noneDoubtful: html`<b>结果不明的请求</b>\n\n暂无。`,
    call: (kind, callNo) => html`<b>${kind}</b> <code>${callNo}</code>`,
    kinds: { open: '开通', renew: '续费', release: '释放', reset: '更换密码' },
    callStates: {
      intended: html`⏳ 尚未发送`,
      sent: html`⏳ 已发送，暂无应答`,
      accepted: html`⏳ 已受理，处理中`,
      settled: html`✅ 已完成`,
      refused: html`❌ 已拒绝`,
      in_doubt: html`⚠️ 结果不明：无法得知供应商是否已执行，请到您在供应商的账户中查看。`,
    },
    callFor: (supplier, orderNo, username) =>
      html`供应商：${supplier}\n订单：<code>${orderNo}</code>，用户 ${username}`,
    callCount: (count, cost) => html`代理：<b>${count}</b> 个，预计成本 ${cost}`,
    callCost: (cost) => html`实际扣费：${cost}`,
    callSince: (at, attempts) => html`始于 ${at}，尝试次数：${attempts}`,
    providerNumber: (number) => html`供应商单号：<code>${number}</code>`,
    reason: (reason) => html`原因：${reason}`,
    typeNumber: html`请发送该订单在供应商处的单号。系统会据此查询，并交付其结果。`,
    confirmAbsent: html`<b>确定供应商没有执行这个请求？</b>\n\n之后将视为拒绝，并退款给客户。如果供应商其实已执行，您将为无人使用的代理付费。`,
    decided: html`✅ 已处理，后续操作将在几秒内完成。`,
    differences: {
      counted: (what, count) => html`• ${what}：<b>${count}</b>`,
      example: (what, ours, theirs) => html`<code>${what}</code>：我方 ${ours}，对方 ${theirs}`,
      kinds: {
        unknown_order: '并非我方下的订单',
        missing_order: '对方查不到的我方订单',
        refused_order: '已拒绝却被执行的订单',
        amount: '金额不同的订单',
        not_ours: '在对方运行却不属于任何客户的代理',
        released_runs: '已释放却仍在运行的代理',
        not_running: '在对方已停止的客户代理',
        expiry: '到期时间不同的代理',
      },
    },
  },
  exits: {
    title: html`🚪 <b>出口</b>`,
    none: html`暂无出口，流量无法转发。`,
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
      direct: '直连，从网关本机出口',
      proxy: '代理',
      vendor: '供应商网关',
    },
    address: (address) => html`地址：<code>${address}</code>`,
    place: (place) => html`地区：${place}`,
    template: (template) => html`用户名模板：<code>${template}</code>`,
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
    fails: (reason, stage) => html`🔴 <b>不可用</b>：${reason}（${stage}）`,
    askRemove: html`<b>要移除该出口及其登录信息吗？</b>\n\n之后不再有新连接，已建立的连接会继续。`,
    added: html`✅ <b>已添加。</b>网关将在几秒内开始使用。`,
    askLine: lines(
      html`➕ <b>添加出口</b>`,
      '',
      html`请发送一行，格式与命令 <code>exit add</code> 相同：`,
      html`<code>--pool dynamic_1 --url socks5://user:pass@host:port --country us</code>`,
      html`<code>--pool dynamic_1 --direct</code>`,
      html`<code>--pool dynamic_1 --url http://user:pass@host:port --template {user}-country-{country}-session-{session}</code>`,
      '',
      html`还可以加上 <code>--city</code>。消息含有密码，收到后会删除；在群组中，机器人须是管理员才能删除。`,
    ),
    notALine: '请发送 --pool 和资源池，并在 --url（地址）与 --direct 中选择一个。',
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
      exit_cannot_be_read: '其登录信息由另一个 SECRETS_KEY 加密：请移除后重新添加。',
    },
  },
  backups: {
    title: html`💾 <b>备份</b>`,
    every: (minutes) =>
      minutes % 60 === 0 ? html`每 ${minutes / 60} 小时一次` : html`每 ${minutes} 分钟一次`,
    onlyAsked: html`仅手动备份：<code>BACKUP_EVERY</code> 已关闭。`,
    none: html`还没有备份。`,
    underWay: html`⏳ 正在备份。`,
    good: (time, size, places) => html`✅ ${time} · ${size} · ${places}`,
    failed: (time, problem, detail) => html`🔴 ${time} · <b>${problem}</b>\n<i>${detail}</i>`,
    standsIn: (places) =>
      places.map((place) => ({ folder: '文件夹', s3: 'S3', chat: '聊天' })[place]).join('、'),
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
  gateway: {
    title: html`📡 <b>网关</b>`,
    running: (since) => html`🟢 网关：自 ${since} 起运行`,
    silent: (since) => html`🔴 网关：<b>自 ${since} 起没有响应</b>`,
    stopped: (since) => html`⏹ 网关：自 ${since} 起已停止`,
    never: html`⚪ 网关：尚未连接过`,
    connections: (connections, workers) => html`连接：<b>${connections}</b> · 进程：${workers}`,
    today: (bytes) => html`今日流量：<b>${bytes}</b>`,
    accepted: (count) => html`累计接受：${count}`,
    refused: html`累计拒绝：`,
    reason: (reason, count) => html`• ${reason}：<b>${count}</b>`,
    reasons: {
      bad_request: '不是代理请求',
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
      shop_unreachable: '无法连接商店',
      draining: '网关正在停止',
    },
  },
  profit: {
    title: (from, to) => html`💹 <b>利润</b> ${from === to ? from : `${from} – ${to}`}（UTC）`,
    none: html`没有销售。`,
    product: (name, revenue, refunds) => html`<b>${name}</b>\n收入 ${revenue}，退款 ${refunds}`,
    margin: (cost, margin) => html`成本 ${cost}，毛利 <b>${margin}</b>`,
    ownStock: html`自有库存：成本未知`,
    expected: (cost) => html`成本中有 ${cost} 为预计，尚未扣费`,
    more: (count) => html`……另有 ${count} 个产品`,
    total: (revenue, refunds) => html`<b>合计</b>\n收入 <b>${revenue}</b>，退款 ${refunds}`,
    totalMargin: (cost, margin) => html`供应商产品：成本 ${cost}，毛利 <b>${margin}</b>`,
  },
  replacements: {
    title: (count) => html`<b>待审核的更换申请</b>：${count}`,
    none: html`<b>待审核的更换申请</b>\n\n暂无。`,
    wanted: (username) => html`♻️ <b>${username} 申请更换代理</b>`,
    proxy: (address, product) => html`代理：<code>${address}</code>（${product}）`,
    reason: (reason) => html`原因：${reason}`,
    ground: {
      dead: html`检测结果：已失效。`,
      young: html`开通不足 24 小时。`,
      none: html`检测结果未显示失效。`,
    },
    gone: '该申请已处理。',
    noneFree: html`⚠️ 没有同等的代理。`,
    whyNot: html`请发送拒绝的原因，客户会看到。`,
    results: {
      done: html`✅ 代理已更换，已通知客户。`,
      processing: html`⏳ 正在购买新的代理。`,
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
      user_deleted: html`对应充值单的账户已删除。`,
      not_creditable: html`对应的充值单已无法自动入账。`,
      absurd_amount: html`金额大得离谱，很可能是伪造的转账。`,
    },
    facts: (from, time) => lines(html`来自：<code>${from}</code>`, html`时间：${time}`),
    txid: (txid) => html`交易：<code>${txid}</code>`,
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
    ignore: html`<b>忽略这笔付款？</b>\n\n不会为任何人入账，并从列表中移除。`,
    ignored: html`已忽略这笔付款。`,
    refundNote: html`<b>已人工退款</b>\n\n请先用您的钱包退回款项，再发送一条备注说明退款方式，例如退款交易号。备注后这笔付款将从列表中移除。`,
    refunded: html`✅ 退款已记录。`,
  },
  broadcast: {
    title: html`<b>群发消息</b>`,
    toWhom: html`发给谁？数字为已登录且未关闭群发通知的聊天数。`,
    audiences: {
      all: (count) => `所有人（${count}）`,
      agents: (count) => `代理商（${count}）`,
      users: (count) => `普通用户（${count}）`,
    },
    nobody: '目前没有可接收的聊天。',
    audience: { all: '所有人', agents: '代理商', users: '普通用户' },
    type: (max) => html`请发送正文，最多 ${max} 个字符。内容会原样发出，网址会变成链接。`,
    tooLong: (length, max) => `正文有 ${length} 个字符，最多 ${max} 个。`,
    preview: (audience, chats) => html`<b>群发给${audience}</b>（${chats} 个聊天），对方看到的内容：`,
    to: (audience) => html`对象：${audience}`,
    states: {
      draft: html`尚未发送。`,
      sending: html`⏳ <b>正在发送……</b>`,
      done: html`✅ <b>已发送</b>`,
      cancelled: html`🚫 <b>已停止</b>`,
    },
    progress: ({ sent, blocked, left, status }) =>
      html`已发送：<b>${sent}</b> · 已屏蔽机器人：${blocked}${status === 'sending' ? ` · 剩余：${left}` : left > 0 ? ` · 未发送：${left}` : ''}`,
    message: (text) => html`📣 ${text}`,
  },
}
