import { html, lines } from '../../kit/html.ts'

/** Sub-accounts of dynamic traffic. */
export const subAccounts = {
  title: (product: string, total: number, left: string) =>
    lines(
      html`🔑 <b>Sub-accounts</b>`,
      '',
      html`Product: <b>${product}</b>`,
      html`In the main account: <b>${left}</b>`,
      html`Sub-accounts: <b>${total}</b>`,
    ),
  empty: html`A sub-account is a login of its own for a part of your traffic: for a program, a colleague or a customer.`,
  button: (icon: string, name: string, left: string) => `${icon} ${name} · ${left}`,
  icons: { active: '🟢', disabled: '⏸' },
  status: { active: '🟢 Active', disabled: '⏸ Disabled' },
  buttons: {
    create: '➕ New sub-account',
    anyName: '🎲 Random name',
    give: '➕ Give traffic',
    take: '➖ Take back',
    disable: '⏸ Disable',
    enable: '▶️ Enable',
    password: '🔁 New password',
    remove: '🗑 Delete',
    removeNow: (name: string) => `🗑 Delete ${name}`,
    setPassword: '🔁 Set a new password',
    amount: (gigabytes: number) => `${gigabytes} GB`,
    all: (left: string) => `All: ${left}`,
    other: '✏️ Other amount',
    confirm: '✅ Move it',
    open: '🔑 Open the sub-account',
    copy: '📋 Copy the line',
  },
  name: (name: string) => html`Login: <code>${name}</code>`,
  gateway: (host: string, port: number) => html`Gateway: <code>${host}:${port}</code>`,
  bar: (bar: string) => html`${bar} used`,
  left: (left: string, limit: string) => html`Left: <b>${left}</b> of ${limit}`,
  remark: (remark: string) => html`Remark: ${remark}`,
  created: (date: string) => html`Created: ${date}`,
  askName: (amount: string) =>
    lines(
      html`➕ <b>New sub-account</b>`,
      '',
      html`Traffic: <b>${amount}</b>`,
      html`Which login name? Send me 3 to 32 letters, digits or underscores, or use a random one.`,
    ),
  badName: (answer: string) =>
    `“${answer}” is not possible: 3 to 32 letters, digits or underscores, and not like the random names.`,
  askFirstTraffic: (left: string) =>
    lines(
      html`➕ <b>New sub-account</b>`,
      '',
      html`How many GB should it start with? You have <b>${left}</b>. Press a button or send me a number, such as <code>0.5</code>.`,
    ),
  askAmount: {
    give: (name: string, left: string) =>
      html`➕ How many GB for <b>${name}</b>?\n\nIn the main account: <b>${left}</b>`,
    take: (name: string, left: string) =>
      html`➖ How many GB to take back from <b>${name}</b>?\n\nIt has <b>${left}</b>.`,
  },
  typeAmount: {
    give: (name: string) =>
      html`➕ How many GB for <b>${name}</b>? Send me a number, such as <code>0.5</code>.`,
    take: (name: string) =>
      html`➖ How many GB to take back from <b>${name}</b>? Send me a number, such as <code>0.5</code>.`,
  },
  notAnAmount: (answer: string, most: number) =>
    `“${answer}” is not an amount of traffic: send a number up to ${most}, with at most three decimals.`,
  move: {
    give: (name: string, amount: string) => html`➕ Give <b>${amount}</b> to <b>${name}</b>?`,
    take: (name: string, amount: string) => html`➖ Take <b>${amount}</b> back from <b>${name}</b>?`,
    main: (before: string, after: string) => html`Main account: ${before} → <b>${after}</b>`,
    sub: (before: string, after: string) => html`Sub-account: ${before} → <b>${after}</b>`,
    tooMuch: (left: string) => html`⚠️ Only <b>${left}</b> is available.`,
    done: '✅ Done.',
  },
  secret: {
    created: html`✅ <b>Sub-account created</b>`,
    changed: html`✅ <b>New password set</b>\n\nThe old one no longer works.`,
    line: html`Copy it now: the password is shown only once.`,
  },
  askPassword: (name: string) =>
    html`🔁 <b>Set a new password for ${name}?</b>\n\nThe current one stops working at once, for everybody who uses it.`,
  askDelete: (name: string, left: string) =>
    html`🗑 <b>Delete ${name}?</b>\n\nIts login stops working at once and for good. <b>${left}</b> goes back to the main account.`,
  deleted: (name: string, returned: string) =>
    `${name} is deleted; ${returned} went back to the main account.`,
}
