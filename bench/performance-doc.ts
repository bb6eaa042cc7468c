import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const docs = join(import.meta.dirname, '../docs')

/** The generated parts of docs/performance.md. */
export type Part = 'page' | 'server' | 'scale'

/** The commit that was measured, with `-dirty` if files differed from it. */
const commit = () => execFileSync('git', ['describe', '--always', '--dirty', '--exclude=*'], { cwd: docs, encoding: 'utf8' }).trim()

/** Replaces the last results of a benchmark. */
export const writePart = (part: Part, markdown: string): void => {
  const file = join(docs, 'performance.md')
  const [start, end] = [`<!-- ${part}: from here`, `<!-- ${part}: to here`]
  const text = readFileSync(file, 'utf8')
  const [from, to] = [text.indexOf('\n', text.indexOf(start)), text.indexOf(end)]
  if (!text.includes(start) || to < from) throw new Error(`docs/performance.md has no place for ${part}`)
  writeFileSync(file, `${text.slice(0, from)}\n\nMeasured at commit ${commit()}.\n\n${markdown.trim()}\n\n${text.slice(to)}`)
}

/** A Markdown table. All columns but the first are aligned to the right. */
export const table = (headings: readonly string[], rows: readonly (readonly string[])[]): string => {
  const widths = headings.map((heading, i) => Math.max(heading.length, 3, ...rows.map(row => row[i]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`
  const rule = `| ${widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [line(headings), rule, ...rows.map(line)].join('\n')
}

/** A bar of a chart. `text` is its label; `ours` highlights it. */
export type Bar = { name: string; value: number; text: string; ours?: boolean }

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Writes docs/performance-`name`.svg: a bar chart that starts at zero, in the color scheme of the reader's system. */
export const writeChart = (name: string, title: string, bars: readonly Bar[]): void => {
  const [right, top, step, height] = [90, 44, 30, 18]
  const left = 24 + 8 * Math.max(...bars.map(bar => bar.name.length))
  const width = 760
  const longest = Math.max(...bars.map(bar => bar.value))
  const drawn = bars.map(({ name: of, value, text, ours }, i) => {
    const y = top + i * step
    const length = Math.max(1, (value / longest) * (width - left - right))
    return [
      `<text class="name${ours ? ' ours' : ''}" x="${left - 12}" y="${y + 13}">${escaped(of)}</text>`,
      `<rect class="${ours ? 'ours' : 'theirs'}" x="${left}" y="${y}" width="${length.toFixed(1)}" height="${height}" rx="3"/>`,
      `<text class="${ours ? 'ours' : ''}" x="${(left + length + 8).toFixed(1)}" y="${y + 13}">${escaped(text)}</text>`,
    ].join('\n  ')
  })
  const full = top + bars.length * step + 8
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${full}" width="${width}" height="${full}" role="img" aria-label="${escaped(title)}">
  <style>
    text { font: 13px system-ui, sans-serif; fill: #4a5264 }
    .name { text-anchor: end }
    text.ours, .title { font-weight: 600; fill: #171b26 }
    .theirs { fill: #a9b1c2 }
    rect.ours { fill: #2f55d4 }
    @media (prefers-color-scheme: dark) {
      text { fill: #a9b1c2 }
      text.ours, .title { fill: #f1f3f8 }
      .theirs { fill: #565f73 }
      rect.ours { fill: #7d9bff }
    }
  </style>
  <text class="title" x="0" y="18">${escaped(title)}</text>
  ${drawn.join('\n  ')}
</svg>
`
  writeFileSync(join(docs, `performance-${name}.svg`), svg)
}
