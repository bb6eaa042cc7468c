import { directionOf } from '@gatehouse/language/text.ts'
import { linksOf, type MailBody, type MailLanguage, type Product } from './layout.ts'
import { wrapLines } from './wrapping.ts'

/**
 * Lays a mail out as plain text. Each address ends its line, so that no mail program breaks it or appends a period. Links and codes
 * have no direction marks, because a copy would contain them.
 */
export const textOf = (body: MailBody, product: Product, { tag, frame }: MailLanguage) => {
  const { action, code, facts, advice } = body
  const wrapped = (text: string) => wrapLines(text, tag)
  const blocks = [body.title, ...body.paragraphs]
  const factLines = facts?.map(([label, value]) => frame.fact(label, value)).join('\n')
  // The facts follow a code, so that the code stands out. Without a code, they precede the link.
  if (factLines && !code) blocks.push(factLines)
  const parts = blocks.map(block => block.split('\n').map(wrapped).join('\n'))
  if (action) parts.push(`${wrapped(frame.above(action.label))}\n${action.link}`, wrapped(action.note))
  if (code) parts.push(`${wrapped(code.label)}\n${code.value}`, wrapped(code.note))
  if (factLines && code) parts.push(factLines)
  parts.push([wrapped(advice.title), wrapped(advice.text), ...(advice.visit ? [product.url] : [])].join('\n'))
  const links = linksOf(product, frame).map(([label, address]) =>
    directionOf(tag) === 'rtl' ? `${frame.above(label)}\n${address}` : frame.fact(label, address),
  )
  parts.push([`-- \n${product.name}\n${product.url}`, ...links].join('\n'))
  return `${parts.join('\n\n')}\n`
}
