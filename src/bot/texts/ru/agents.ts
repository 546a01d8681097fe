import { html, lines } from '../html.ts'
import type * as en from '../en/agents.ts'

export const agents: typeof en.agents = {
  buttons: {
    agents: '🤝 Агенты',
    create: '➕ Новый агент',
    priceTerms: '🏷 Предел цен агентов',
    createNow: '✅ Создать агента',
    adjust: '💰 Баланс',
    level: '🏷 Уровень цен',
    link: '🔑 Ссылка',
    account: '👤 Заказы, контакты, входы',
    enable: '▶️ Включить',
    disable: '🚫 Отключить',
    adjustNow: '✅ Изменить баланс',
    funding: '🏦 Деньги субпользователей',
    changeFunding: '✅ Сменить',
    clear: '🧹 Изъять эти деньги',
  },
  title: (count) => html`🤝 <b>Агенты</b>: ${count}`,
  none: html`🤝 <b>Агенты</b>\n\nПока ни одного.`,
  button: (icon, username, balance) => `${icon} ${username} · ${balance}`,
  priceTerms: (limit, step) =>
    html`Их клиенты платят не больше цены магазина, умноженной на ${limit}. Цены с наценкой округляются вверх до ${step}.`,
  askPriceTerms: (limit, step) =>
    html`🏷 <b>Предел цен агентов</b>\n\nИх клиенты платят не больше цены магазина, умноженной на <b>${limit}</b>. Цены, которые уже выше, снизятся до этого предела.\nЦены с наценкой округляются вверх до <b>${step}</b>.\n\nНажмите кнопку или пришлите множитель, например <code>2.5</code>, либо множитель и шаг: <code>2.5 0.05</code>.`,
  notTerms: 'Пришлите множитель от 1 до 101, например 2.5, либо множитель и шаг: 2.5 0.05.',
  agent: (username) => html`🤝 <b>${username}</b>`,
  states: {
    active: html`✅ Активен`,
    disabled: html`🚫 Отключён: войти не может, его субпользователи работают`,
  },
  balance: (balance) => html`Баланс: <b>${balance}</b>`,
  level: (level) => html`Уровень цен: <b>${level}</b>`,
  funding: (funding) => html`Деньги субпользователей: ${funding}`,
  fundings: { transfer: 'с баланса агента', mint: 'без списания с агента' },
  askDisable: (username, users) =>
    html`🚫 <b>Отключить ${username}?</b>\n\nАгент больше не сможет войти и заказать. Субпользователи (${users}) продолжат работать.`,
  askFunding: (username, mint) =>
    mint
      ? html`<b>Деньги субпользователей ${username}</b>\n\nСейчас всё, что они получают, списывается с баланса ${username}. Теперь оно будет начисляться без списания: ${username} сможет дать любую сумму, а свой баланс не изменится.`
      : html`<b>Деньги субпользователей ${username}</b>\n\nСейчас всё, что они получают, начисляется без списания. Теперь оно будет списываться с баланса ${username}, а изъятое вернётся агенту ${username}, включая то, что у них уже есть.`,
  deletedHaveMoney: html`⚠️ Пока нельзя: у удалённых субпользователей остались деньги, начисленные без списания, и они достались бы агенту. Сначала изымите их.`,
  users: (users, balance) => html`Субпользователи: <b>${users}</b>, у них всего ${balance}`,
  askNew: lines(
    html`➕ <b>Новый агент</b>`,
    '',
    html`Пришлите логин или несколько строк:`,
    html`<pre>логин: somebody\nуровень: 1\nбаланс: 100\nденьги: transfer</pre>`,
    html`«Деньги» — откуда они у субпользователей: с баланса агента (<code>transfer</code>) или без списания с него (<code>mint</code>). Пароль агент задаст сам по ссылке, которую вы ему передадите.`,
  ),
  confirmNew: (typed) => html`<b>Создать этого агента?</b>\n\n<pre>${typed}</pre>`,
  created: html`✅ <b>Агент создан.</b>`,
  link: (link, until) =>
    html`🔑 Передайте агенту эту ссылку: по ней он войдёт в бота и задаст пароль. Сработает один раз, до ${until}.\n<code>${link}</code>`,
  askLevel: (username, level) =>
    html`Какой уровень цен дать <b>${username}</b> и субпользователям? Сейчас ${level}. Пришлите число.`,
  askAdjust: (username, balance) =>
    html`<b>${username}</b>: на балансе ${balance}. Пришлите, сколько добавить или снять и почему: <code>100 перевод за май</code> или <code>-12.50 возврат</code>.`,
  notAnAdjustment: 'Пришлите сумму и причину, например 100 перевод',
  confirmAdjust: (username, change, before, after, remark) =>
    html`<b>Изменить баланс ${username}?</b>\n\n<b>${change}</b>: ${before} → ${after}\nПричина: ${remark}`,
  adjusted: (balance) => html`✅ <b>Изменено.</b> Теперь на балансе ${balance}.`,
  changed: '✅ Изменено.',
  gone: 'Этого агента больше нет.',
  unknownLine: (line) => `Не понимаю «${line}».`,
  labels: { username: 'логин', level: 'уровень', balance: 'баланс', funding: 'деньги' },
}
