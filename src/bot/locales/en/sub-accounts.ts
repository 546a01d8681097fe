import { html, lines } from '../../html.ts'

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
    anyName: '🎲 Any name',
    give: '➕ Give traffic',
    take: '➖ Take traffic back',
    disable: '⏸ Disable',
    enable: '▶️ Enable',
    password: '🔁 New password',
    remove: '🗑 Delete',
    removeNow: (name: string) => `🗑 Delete ${name}`,
    setPassword: '🔁 Yes, a new password',
    amount: (gigabytes: number) => `${gigabytes} GB`,
    all: (left: string) => `All: ${left}`,
    other: '✏️ Another amount',
    confirm: '✅ Move it',
    open: '🔑 Open the sub-account',
    copy: '📋 Copy the line',
  },
  name: (name: string) => html`Login: <code>${name}</code>`,
  gateway: (host: string, port: number) => html`Gateway: <code>${host}:${port}</code>`,
  bar: (bar: string) => html`${bar} used`,
  left: (left: string, limit: string) => html`Left: <b>${left}</b> of ${limit}`,
  remark: (remark: string) => html`Remark: ${remark}`,
  created: (date: string) => html`Made: ${date}`,
  askName: (amount: string) =>
    lines(
      html`➕ <b>New sub-account</b>`,
      '',
      html`Traffic: <b>${amount}</b>`,
      html`Which login name? Send me 3 to 32 letters, digits or underscores, or leave it to me.`,
    ),
  badName: (answer: string) =>
    `“${answer}” does not do: 3 to 32 letters, digits or underscores, and not like the names that we make.`,
  askFirstTraffic: (left: string) =>
    lines(
      html`➕ <b>New sub-account</b>`,
      '',
      html`How many GB does it begin with? There are <b>${left}</b>. Press a button or send me a number, such as <code>0.5</code>.`,
    ),
  askAmount: {
    give: (name: string, left: string) =>
      html`➕ How many GB for <b>${name}</b>?\n\nIn the main account: <b>${left}</b>`,
    take: (name: string, left: string) =>
      html`➖ How many GB back from <b>${name}</b>?\n\nIt has <b>${left}</b>.`,
  },
  typeAmount: {
    give: (name: string) =>
      html`➕ How many GB for <b>${name}</b>? Send me a number, such as <code>0.5</code>.`,
    take: (name: string) =>
      html`➖ How many GB back from <b>${name}</b>? Send me a number, such as <code>0.5</code>.`,
  },
  notAnAmount: (answer: string, most: number) =>
    `“${answer}” is no amount of traffic: a number up to ${most}, with a point and at most three decimals.`,
  move: {
    give: (name: string, amount: string) => html`➕ Give <b>${amount}</b> to <b>${name}</b>?`,
    take: (name: string, amount: string) => html`➖ Take <b>${amount}</b> back from <b>${name}</b>?`,
    main: (before: string, after: string) => html`Main account: ${before} → <b>${after}</b>`,
    sub: (before: string, after: string) => html`Sub-account: ${before} → <b>${after}</b>`,
    tooMuch: (left: string) => html`⚠️ There are only <b>${left}</b>.`,
    done: '✅ Done.',
  },
  secret: {
    created: html`✅ <b>Sub-account made</b>`,
    changed: html`✅ <b>New password set</b>\n\nThe old one does not work any more.`,
    line: html`Copy it now: the password is shown this once only.`,
  },
  askPassword: (name: string) =>
    html`🔁 <b>A new password for ${name}?</b>\n\nThe present one stops working at once, for everybody who uses it.`,
  askDelete: (name: string, left: string) =>
    html`🗑 <b>Delete ${name}?</b>\n\nIts login stops working at once and for ever. <b>${left}</b> go back to the main account.`,
  deleted: (name: string, returned: string) => `${name} is deleted; ${returned} went back.`,
}
