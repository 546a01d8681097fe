import { type Language, LANGUAGE_FACTS } from '../../core/languages.ts'

/**
 * Returns a page of a few sentences, which runs nothing.
 *
 * @param body in HTML
 */
export function plainPage(language: Language, title: string, body: string): string {
  return `<!doctype html>
<html lang="${LANGUAGE_FACTS[language].locale}">
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
${body}
</body>
</html>
`
}
