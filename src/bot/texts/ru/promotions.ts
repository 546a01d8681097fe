import { html } from '../html.ts'
import type * as en from '../en/promotions.ts'
import { plural } from './plural.ts'

export const promo: typeof en.promo = {
  title: (total) => html`🎟 <b>Промокоды</b>: ${total}`,
  about: {
    agent: html`Субпользователи вводят промокод при покупке. Скидка идёт из вашего дохода с этой покупки, а если вы разрешите — и с вашего баланса.`,
    shop: html`Промокод может ввести любой покупатель. Скидка по вашим идёт из денег магазина, и процент считается от них: наценку агента его клиенты платят сверху, без скидки. Скидки по промокодам агентов оплачивают агенты.`,
  },
  button: (icon, code, discount) => `${icon} ${code} · ${discount}`,
  icons: { open: '🟢', used_up: '⚪', expired: '⌛', stopped: '⛔' },
  states: { open: 'Действует', used_up: 'Израсходован', expired: 'Истёк', stopped: 'Остановлен' },
  buttons: {
    codes: '🎟 Промокоды',
    short: '🎟 Промокоды',
    create: '➕ Новый промокод',
    copy: '📋 Копировать объявление',
    stop: '⛔ Остановить промокод',
    done: '✅ Создать сейчас',
  },
  name: (code, state) => html`🎟 <code>${code}</code> · ${state}`,
  discount: (discount) => html`Скидка: <b>${discount}</b> с покупки`,
  products: (products) => (products === undefined ? html`На все товары` : html`На товары: ${products}`),
  uses: (uses, most) => html`Использован: <b>${uses}</b>${most === null ? '' : html` из ${most}`}`,
  perUser: (most) => html`Не больше ${most} ${plural(most, 'раза', 'раз', 'раз')} на клиента`,
  until: (until) => (until === undefined ? html`Бессрочно` : html`Действует до ${until}`),
  given: (given, agent) =>
    agent === undefined
      ? html`Потрачено на скидки: ${given}`
      : html`Потрачено на скидки (платит ${agent}): ${given}`,
  ofBalance: (used, most) => html`С баланса: <b>${used}</b> из ${most}`,
  effects: {
    title: html`По текущим ценам:`,
    line: (product, before, after, percent) => html`• ${product}: ${before} → <b>${after}</b> (−${percent}%)`,
    nothing: (product, price) => html`• ${product}: ${price}, без скидки`,
    nothingEarned: html`⚠️ Сейчас скидки нет: на этих товарах вы не зарабатываете. Задайте наценку в «Мои цены» или разрешите платить с баланса.`,
    nothingSold: html`⚠️ Сейчас скидки нет: ни один из этих товаров не продаётся по подходящей цене.`,
    atMostEarned: html`<i>Скидка не больше вашего дохода с покупки. Чем выше наценка, тем она больше.</i>`,
    covered: (most) =>
      html`<i>Чего не покрыл доход с покупки, спишется с баланса: ещё не больше ${most}.</i>`,
    others: html`<i>Для субпользователей с отдельными ценами скидка считается от них.</i>`,
  },
  share: {
    text: (code, off) => `Промокод ${code}: ${off}. Введите его при покупке.`,
    off: (discount, products) =>
      products === undefined ? `скидка ${discount}` : `скидка ${discount} на ${products}`,
    offShops: (discount, products) =>
      products === undefined
        ? `скидка ${discount} от цены магазина`
        : `скидка ${discount} от цены магазина на ${products}`,
    upTo: (discount) => `до ${discount}`,
    whileItLasts: (off) => `${off}, пока не закончится`,
    someProducts: 'некоторые товары',
  },
  askStop: html`Остановить промокод? Использовать его больше никто не сможет; всё, что с ним куплено, останется.`,
  made: html`✅ <b>Промокод готов.</b>`,
  newTitle: html`🎟 <b>Новый промокод</b>`,
  ask: {
    discount: html`Какая скидка с покупки? Пришлите процент, например <code>15%</code>, или сумму, например <code>2.50</code>.`,
    balanceLimit: html`Чего не покроет ваш доход с покупки, можно списать с <b>вашего баланса</b>. Сколько всего? Нажмите или пришлите сумму.`,
    code: html`Какой <b>промокод</b>? Пришлите его, например <code>SPRING-10</code>, или возьмите случайный.`,
    maxUses: html`Сколько раз его можно использовать <b>всего</b>?`,
    maxUsesPerUser: html`Сколько раз его может использовать <b>один клиент</b>?`,
    days: html`Сколько <b>дней</b> он действует? Можно прислать и время окончания, например <code>2026-12-31 23:59</code>; если часовой пояс другой, добавьте разницу с UTC: <code>2026-12-31 23:59 +8</code>.`,
    products: html`На какие <b>товары</b>? Нажмите один или пришлите несколько номеров через запятую.`,
  },
  taken: (code) => `Промокод ${code} уже есть. Придумайте другой.`,
  none: {
    balanceLimit: '🚫 Без баланса',
    code: '🎲 Случайный',
    maxUses: 'Без лимита',
    maxUsesPerUser: 'Без лимита',
    days: 'Бессрочно',
    products: '✅ На все товары',
  },
  problems: {
    discount: 'Пришлите целый процент от 1% до 100% или сумму, например 2.50.',
    balanceLimit: 'Пришлите сумму, например 50.',
    code: 'В промокоде от 3 до 32 латинских букв, цифр, _ или -. Пример: SPRING-10.',
    days: 'Пришлите число дней, не больше 3650, или время в будущем, например 2026-12-31 23:59.',
    products: 'Такого товара нет. Пришлите номера товаров через запятую.',
  },
}
