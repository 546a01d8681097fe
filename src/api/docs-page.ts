const TITLE = 'Proxy reseller API'

/** The page to read and try the interface, drawn by Swagger UI. */
export const docsPage = (files: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${TITLE}</title>
    <link rel="icon" type="image/png" href="${files}/favicon-32x32.png">
    <link rel="stylesheet" href="${files}/swagger-ui.css">
    <link rel="stylesheet" href="${files}/index.css">
    <link rel="stylesheet" href="${files}/page.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="${files}/swagger-ui-bundle.js"></script>
    <script src="${files}/page.js"></script>
  </body>
</html>
`

/**
 * Returns the script that starts Swagger UI, without its online validator. For screen readers a path is no link within the button of
 * its operation (the address of the page names what is open all the same), and fields have names.
 */
export const docsScript = (document: string) => `const plainPaths = ({ React }) => ({
  components: { DeepLink: ({ text }) => React.createElement('span', null, text) },
})
const NAMES = { '#servers': 'Base address', '.examples-select-element': 'Example', '.body-param__text': 'Request body' }
function nameFields() {
  for (const [which, name] of Object.entries(NAMES))
    for (const field of document.querySelectorAll(which + ':not([aria-label])')) field.ariaLabel = name
}
new MutationObserver(nameFields).observe(document.getElementById('swagger-ui'), { childList: true, subtree: true })
SwaggerUIBundle({
  dom_id: '#swagger-ui',
  url: '${document}',
  deepLinking: true,
  persistAuthorization: true,
  validatorUrl: null,
  plugins: [plainPaths],
})
`

/** Readable colours (contrast of 4.5 or more), and a layout that fits a phone. */
export const DOCS_STYLES = `.swagger-ui .info .title small { background: #5c6370 }
.swagger-ui .info .title small.version-stamp { background: #476a00 }
.swagger-ui .info a, .swagger-ui .info .base-url, .swagger-ui .info .url, .swagger-ui .markdown a { color: #1a5a9e }
.swagger-ui .btn.authorize { border-color: #17704a; color: #17704a }
.swagger-ui .btn.authorize svg { fill: #17704a }
.swagger-ui .btn.cancel, .swagger-ui .try-out__btn.cancel { border-color: #b71c1c; color: #b71c1c }
.swagger-ui .btn.execute { background: #1a5a9e; border-color: #1a5a9e }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #1a5a9e }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #17704a }
.swagger-ui .opblock.opblock-put .opblock-summary-method { background: #8f4700 }
.swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #0e6b63 }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b71c1c }
.swagger-ui .parameter__in, .swagger-ui .prop-format { color: #555 }
.swagger-ui .microlight span[style*="211, 99, 99"] { color: #ff9d9d !important }
.swagger-ui .json-schema-2020-12-expand-deep-button { color: #555 }
.swagger-ui .response-col_links { display: none }
.swagger-ui .responses-table { table-layout: fixed }
.swagger-ui .responses-table .response-col_status { width: 60px }
@media (max-width: 600px) {
  .swagger-ui .wrapper { padding: 0 10px }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap }
  .swagger-ui .opblock .opblock-summary-control { flex-wrap: wrap }
  .swagger-ui .opblock .opblock-summary-method { min-width: 64px }
  .swagger-ui .opblock .opblock-summary-description { padding: 2px 10px }
  .swagger-ui .opblock-body .tab-header, .swagger-ui .opblock-section-header { flex-wrap: wrap }
  .swagger-ui .scheme-container .schemes { flex-wrap: wrap }
}
`
