import type { en } from './en.ts'

/** The activation mail in Russian. */
export const ru: typeof en = {
  subject: 'Активация аккаунта',
  text: ({ username, link, validHours }) => `Здравствуйте!

Для вас создан аккаунт «${username}». Чтобы активировать его, откройте эту ссылку (она действует ${validHours} ч) и нажмите кнопку на странице:

${link}

Если вы не ждали этого письма, не обращайте на него внимания: без нажатия кнопки ничего не произойдёт.
`,
}
