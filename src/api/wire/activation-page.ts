const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/**
 * The page behind the link in an activation mail, in both languages: the reader's own is not known.
 *
 * @param account whose account is active now; undefined when the link was not good
 */
export function activationPage(account: { readonly username: string } | undefined): string {
  if (!account) {
    return page(
      'Link not valid · 链接无效',
      '<h1>This link is not valid</h1><p>It was used already, or it has expired. If your account is active, just log in; ' +
        'if it is not, log in as well: a new link is sent when the old one has expired.</p>',
      '<h1>链接无效</h1><p>该链接已被使用或已过期。如果账号已激活，请直接登录；如果尚未激活，也请尝试登录：旧链接过期后系统会发送新的链接。</p>',
    )
  }
  const name = account.username.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character)
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
</style>
</head>
<body>
<section>${english}</section>
<section lang="zh-Hans">${chinese}</section>
</body>
</html>
`
}
