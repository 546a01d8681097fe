import type { ActivationLink } from '../../core/accounts/activation.ts'

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A form without an action posts to the address of its page, with the token. */
const button = (label: string) => `<form method="post"><button>${label}</button></form>`

/**
 * The page behind the link in an activation mail, in both languages: the reader's own is not known.
 *
 * @param link undefined when it is not good
 */
export function activationPage(link: ActivationLink | undefined): string {
  if (!link) {
    return page(
      'Link not valid · 链接无效',
      '<h1>This link is not valid</h1><p>It has expired, or a newer one has replaced it. If your account is active, just log in; ' +
        'if it is not, log in as well: a new link is sent when the old one has expired.</p>',
      '<h1>链接无效</h1><p>该链接已过期，或已被更新的链接取代。如果账号已激活，请直接登录；如果尚未激活，也请尝试登录：旧链接过期后系统会发送新的链接。</p>',
    )
  }
  const name = link.username.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
  if (link.state === 'waiting') {
    return page(
      'Activate your account · 激活账号',
      `<h1>Activate your account</h1><p>Press the button to activate the account <b>${name}</b>.</p>${button('Activate')}`,
      `<h1>激活账号</h1><p>点击按钮即可激活账号 <b>${name}</b>。</p>${button('激活')}`,
    )
  }
  return page(
    'Account activated · 账号已激活',
    `<h1>Account activated</h1><p>The account <b>${name}</b> is active. You can log in now.</p>`,
    `<h1>账号已激活</h1><p>账号 <b>${name}</b> 已激活，现在可以登录。</p>`,
  )
}

function page(title: string, english: string, chinese: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
:root { color-scheme: light dark; background: Canvas }
body { font: 17px/1.5 system-ui, sans-serif; max-width: 32rem; margin: 12vh auto; padding: 0 1.5rem }
h1 { font-size: 1.4rem; margin: 0 0 .5rem }
section + section { margin-top: 2.5rem }
b { overflow-wrap: anywhere }
button { font: inherit; padding: .6rem 1.4rem }
</style>
</head>
<body>
<section>${english}</section>
<section lang="zh-Hans">${chinese}</section>
</body>
</html>
`
}
