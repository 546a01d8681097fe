import { html } from '../html.ts'
import type * as en from '../en/machine.ts'
import { plural } from './plural.ts'

const minutesOld = (minutes: number) => (minutes < 1 ? '' : `, дольше всего ждут ${minutes} мин`)

export const machine: typeof en.machine = {
  buttons: {
    health: '🩺 Состояние',
    books: '📚 Учёт',
    checkBooks: '📚 Проверить учёт',
    setup: '⚙️ Настройки',
    jobs: (count) => `⚠️ Сбойные задачи (${count})`,
    again: '🔁 Повторить',
    drop: '🗑 Снять',
    dropNow: '🗑 Снять навсегда',
  },
  jobs: {
    title: (count) =>
      html`⚠️ <b>Задачи, которые не удаётся выполнить</b>: ${count}\n\nПовторяются сами, паузы растут.`,
    none: html`<b>Задачи, которые не удаётся выполнить</b>\n\nТаких нет.`,
    button: (kind, subject) => `${subject} · ${kind}`,
    job: (kind, id) => html`⚠️ <b>${kind}</b> (задача ${id})`,
    about: (what) => html`О чём: <code>${what}</code>`,
    customer: (username) => html`Клиент: <b>${username}</b>`,
    error: (reason) => html`Последняя ошибка: ${reason}`,
    since: (time) => html`С ${time}`,
    attempts: (attempts, failures) => html`Попыток: <b>${attempts}</b>, неудачных подряд: <b>${failures}</b>`,
    next: (time) => html`Следующая попытка: ${time}`,
    underWay: html`Выполняется прямо сейчас.`,
    kept: html`Снять нельзя: от задачи зависят деньги или прокси клиента. Когда причина исчезнет, она выполнится сама.`,
    askDrop: html`<b>Снять эту задачу?</b>`,
    retried: html`🔁 Попробуем сейчас. Когда получится, задача исчезнет из списка.`,
    dropped: html`🗑 Снята.`,
    gone: 'Эта задача выполнена или снята.',
    kinds: {
      complete_static_order: 'Заказ не выдан',
      complete_replacement: 'Замена не сделана',
      auto_renew_static_order: 'Автопродление',
      complete_renewal: 'Продление не завершено',
      complete_reset: 'Смена пароля',
      send_activation_mail: 'Письмо для активации',
      deliver_notice: 'Сообщение не отправлено',
      deliver_digest: 'Сообщения не отправлены',
      send_broadcast: 'Рассылка не отправлена',
      refresh_screens: 'Экран не обновлён',
      back_up: 'Резервная копия',
    },
    dropping: {
      send_activation_mail: html`Письмо не уйдёт: сам пользователь активировать аккаунт не сможет.`,
      deliver_notice: html`Этого сообщения никто уже не получит. С заказом, платежом или аккаунтом, о котором оно, ничего не случится.`,
      deliver_digest: html`Агент не получит этих сообщений о субпользователях. С тем, о чём они, ничего не случится.`,
      send_broadcast: html`Рассылка остановится: кто её ещё не получил, уже не получит.`,
      refresh_screens: html`Экран показывает старое, пока его не откроют снова.`,
      back_up: html`Этой копии не будет. Следующая будет сделана в срок.`,
    },
  },
  failing: (count) =>
    count === 1
      ? html`🔴 <b>Не удаётся выполнить фоновую задачу</b>`
      : html`🔴 <b>Не удаётся выполнить ${count} ${plural(count, 'фоновую задачу', 'фоновые задачи', 'фоновых задач')}</b>`,
  health: {
    title: html`🩺 <b>Состояние</b>`,
    well: html`🩺 <b>Состояние: всё в порядке</b>`,
    line: (icon, part, text) => html`${icon} <b>${part}</b>: ${text}`,
    currency: (currency) => html`Валюта всех сумм: <b>${currency}</b>`,
    parts: {
      database: 'База данных',
      bot: 'Бот',
      jobs: 'Задачи',
      messages: 'Сообщения',
      chats: 'Чаты магазина',
      books: 'Учёт',
      chain: 'Блокчейн',
      backups: 'Резервные копии',
      gateway: 'Шлюз',
      suppliers: 'Поставщики',
      servers: 'Серверы',
      disk: 'Диск',
      version: 'Версия',
    },
    states: { ok: 'работает', degraded: 'работает не полностью', down: 'не работает' },
    jobs: (failing, waiting, oldest) =>
      `${failing > 0 ? `сбойных ${failing}, ` : ''}в очереди ${waiting}${minutesOld(oldest)}`,
    messages: (waiting, oldest) => `в очереди ${waiting}${minutesOld(oldest)}`,
    chats: (all, gone) => (gone === '' ? `${all}, писать можно во все` : `нельзя написать: ${gone}`),
    books: (frozen, checkedAt) =>
      `${frozen > 0 ? `заморожено аккаунтов: ${frozen}, ` : ''}${checkedAt === undefined ? 'ещё не проверен' : `проверен ${checkedAt}`}`,
    version: (version, newer, unread) =>
      `${version}${newer === undefined ? '' : `; вышла ${newer}`}${unread ? ' (узнать о новых не удалось)' : ''}`,
    chain: (checkedAt) => (checkedAt === undefined ? 'ещё не читался' : `прочитан ${checkedAt}`),
    backups: (goodAt, regular) =>
      `${goodAt === undefined ? 'исправной ещё нет' : `последняя исправная — ${goodAt}`}${regular ? '' : ', только по команде'}`,
    gateway: (working, healthy, exits) =>
      `${working ? 'работает' : 'не работает'}, исправных узлов ${healthy} из ${exits}`,
    suppliers: (all, troubled) => (troubled === '' ? `${all}, всё в порядке` : `неполадки: ${troubled}`),
    servers: (alive, wrongClocks) =>
      `работает ${alive}${wrongClocks > 0 ? `, часы врут у ${wrongClocks}` : ''}`,
    disk: (free, percent) => `свободно ${free} (${percent} %)`,
  },
  setup: {
    title: html`⚙️ <b>Настройки магазина</b>`,
    line: (label: string, value: string) => html`${label}: <b>${value}</b>`,
    fixed: html`<i>Что задано в файле .env на сервере, меняется там.</i>`,
    saved: 'Сохранено. Начнёт действовать через несколько секунд.',
    currencyInUse: 'Уже есть аккаунты или товары: их суммы стали бы значить другое.',
    choices: {
      CURRENCY: {
        label: 'Валюта',
        usual: 'USD',
        button: '💱 Валюта',
        ask: html`В какой валюте считает магазин? Пришлите её код, например <code>USD</code> или <code>RUB</code>. Когда появятся аккаунты или товары, сменить её будет нельзя.`,
        none: undefined,
        wrong: 'Код состоит из трёх или четырёх букв, например USD.',
      },
      USDT_WALLET: {
        label: 'Кошелёк USDT',
        usual: 'нет: пополнять в USDT нельзя',
        button: '👛 Кошелёк',
        ask: html`На какой адрес платят USDT (TRC20)? Пришлите адрес кошелька, который принадлежит только магазину; он начинается с T. Никогда не присылайте мне его ключ.`,
        none: 'Не принимать USDT',
        wrong: 'Это не адрес кошелька TRON: нужна T и ещё 33 буквы и цифры.',
      },
      USDT_RATE: {
        label: '1 USDT — это',
        usual: '1',
        button: '⚖️ Курс USDT',
        ask: html`Сколько один USDT добавляет на баланс в валюте магазина? Пришлите число, например <code>1</code> или <code>7.1</code>.`,
        none: 'Столько же: 1',
        wrong: 'Нужно число больше 0, не больше 6 знаков после точки.',
      },
      PUBLIC_URL: {
        label: 'Внешний адрес',
        usual: 'нет: ни ссылок на прокси, ни API снаружи',
        button: '🌐 Адрес',
        ask: html`По какому адресу этот сервер доступен снаружи? Пришлите его, например <code>https://shop.example.com</code>.`,
        none: 'Снаружи недоступен',
        wrong: 'Это не адрес вида https://shop.example.com.',
      },
      SUPPORT_CONTACT: {
        label: 'Поддержка',
        usual: 'обращения в этом боте',
        button: '💬 Поддержка',
        ask: html`Где клиенты найдут помощь? Пришлите имя пользователя Telegram, например <code>@shop_support</code>, или адрес.`,
        none: 'Обращения в этом боте',
        wrong: 'Это не имя пользователя вида @shop_support и не адрес.',
      },
    },
  },
  books: {
    title: html`📚 <b>Учёт</b>`,
    about: (currency, checkedAt) =>
      html`Все суммы — в <b>${currency}</b>. Сменить валюту здесь нельзя, потому что суммы не пересчитываются. Если при первом запуске указали не ту, её переименует команда <code>operator currency</code> в консоли.\n${checkedAt === undefined ? 'С момента запуска балансы ещё не проверялись.' : `Последняя проверка балансов: ${checkedAt}.`}\n\nПроверка читает все заказы, платежи и операции; в большом магазине это небыстро.`,
    working: html`⏳ Проверяю учёт…`,
    balance: html`✅ <b>Учёт сходится.</b> Каждый баланс равен сумме своих операций, и у каждой операции есть причина.`,
    differences: (count) =>
      html`🔴 <b>Не сходится</b>: ${count} ${plural(count, 'расхождение', 'расхождения', 'расхождений')}`,
    difference: (subject, detail, rule) => html`• <code>${subject}</code>: ${detail} (${rule})`,
    walletBalances: html`✅ В кошельке на блокчейне столько же, сколько в учёте.`,
    walletNotYet: html`Кошелёк с учётом не сверен: ещё не было спокойной минуты.`,
    walletUnread: (reason) => html`Кошелёк с учётом не сверен: ${reason}`,
    warning: (text) => html`⚠️ ${text}`,
  },
}
