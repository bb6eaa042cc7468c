const frame = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/mock/page.css"></head><body><main>${body}</main></body></html>`

const warning = '<p class="warning" role="note"><strong>This is a mock.</strong> It signs in everyone and protects nothing.</p>'

/** Lists every call, and lets developers choose its response. */
export const choicesPage = frame(
  'Gatehouse mock',
  `<h1>Gatehouse mock</h1>${warning}
<p>Choose the response to each call. A choice applies to all later requests.</p>
<form id="tools"><label>Find a call <input type="search" id="find" autocomplete="off"></label> <button type="button" id="reset">Reset all</button></form>
<p id="said" role="status"></p>
<div class="wide" tabindex="0" role="region" aria-label="Calls"><table><thead><tr><th scope="col">Call</th><th scope="col">Response</th><th scope="col">Delay in ms</th></tr></thead><tbody id="calls"></tbody></table></div>
<h2>Received</h2><ol id="received" reversed></ol><p id="none">No call yet.</p>
<script type="module" src="/mock/page.js"></script>`,
)

/** What follows the token page, unless `afterSignIn` names another address. */
export const afterSignInPage = frame('Signed in (mock)', `<h1>Signed in</h1>${warning}<p>A server would lead to the dashboard now.</p>`)

/** Stands in for a provider's sign-in. */
export const providerPage = frame('Provider (mock)', `<h1>Provider</h1>${warning}<p>A server would lead to the provider now.</p>`)

/** The script of the choices page. It builds elements and never parses markup. */
export const pageScript = `
const element = id => document.getElementById(id)
const say = text => { element('said').textContent = text }
const post = (path, body) => fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
const make = (tag, properties, ...children) => { const made = Object.assign(document.createElement(tag), properties); made.append(...children); return made }

const row = ({ name, method, path, usual, outcomes, chosen }) => {
  const select = make('select', {}, make('option', { value: '', textContent: usual + ' (default)' }), ...outcomes.map(value => make('option', { value, textContent: value })))
  const delay = make('input', { type: 'number', min: 0, max: 600000, step: 100, placeholder: 'ms', value: chosen.delay ?? '' })
  select.value = chosen.outcome ?? ''
  select.setAttribute('aria-label', 'Response to ' + name)
  delay.setAttribute('aria-label', 'Delay of ' + name + ' in milliseconds')
  const choose = async () => {
    const answer = await post('/mock/choose', { call: name, outcome: select.value, ...(delay.value !== '' && { delay: Number(delay.value) }) })
    say(answer.ok ? name + ': ' + (select.value || 'reset') : 'The mock refused the choice.')
  }
  select.addEventListener('change', choose)
  delay.addEventListener('change', choose)
  const made = make('tr', {}, make('th', { scope: 'row' }, make('code', { textContent: name }), make('small', { textContent: method + ' ' + path })), make('td', {}, select), make('td', {}, delay))
  made.dataset.words = (name + ' ' + path).toLowerCase()
  return made
}

const load = async () => element('calls').replaceChildren(...(await (await fetch('/mock/calls')).json()).map(row))
const filter = () => { for (const one of element('calls').children) one.hidden = !one.dataset.words.includes(element('find').value.trim().toLowerCase()) }
const look = async () => {
  const list = await (await fetch('/mock/received')).json()
  element('none').hidden = list.length > 0
  element('received').replaceChildren(...list.slice(-20).reverse().map(({ call, outcome, status }) => make('li', { textContent: call + ': ' + outcome + ' (' + status + ')' })))
}
element('find').addEventListener('input', filter)
element('tools').addEventListener('submit', event => event.preventDefault())
element('reset').addEventListener('click', async () => { await post('/mock/reset', {}); await load(); filter(); await look(); say('Every call is as in the scenario again.') })
await load()
await look()
setInterval(() => look().catch(() => say('The mock has stopped.')), 1000)
`

export const pageStyles = `
:root { color-scheme: light dark; --text: #1c2330; --quiet: #545d6c; --ground: #fff; --line: #8b94a3; --warning: #fdf0d5 }
@media (prefers-color-scheme: dark) { :root { --text: #e8ebf0; --quiet: #a9b1bf; --ground: #14181f; --line: #6b7484; --warning: #43340f } }
* { box-sizing: border-box }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--ground) }
main { max-width: 60rem; margin: 0 auto; padding: 1rem }
.warning { padding: .75rem 1rem; border-radius: .375rem; background: var(--warning) }
form { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end }
#said { min-height: 1.5em }
.wide { overflow-x: auto }
table { width: 100%; border-collapse: collapse }
th, td { padding: .5rem .5rem .5rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); font-weight: normal }
thead th { font-weight: 600 }
small { display: block; color: var(--quiet); overflow-wrap: anywhere }
input, select, button { font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: .375rem; padding: .375rem .5rem; min-height: 2.25rem }
select { max-width: 18rem; width: 100% } td input { width: 6rem }
@media (max-width: 32rem) { thead { position: absolute; left: -99rem } tr { display: grid; gap: .5rem; padding: .75rem 0; border-bottom: 1px solid var(--line) } tr[hidden] { display: none } th, td { padding: 0; border: 0 } select { max-width: none } }
`
