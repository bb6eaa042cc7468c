import { expect, test } from 'vitest'
import { readSvg } from './svg.ts'

const svg = (inside: string, attributes = 'viewBox="0 0 40 20"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${inside}</svg>`
const read = (text: string | Buffer) => readSvg(Buffer.from(text))

test.each([
  ['a path', svg('<path d="M0 0h9z"/>')],
  ['a prologue, a comment and a BOM', `\ufeff<?xml version="1.0" encoding="UTF-8"?>\n<!-- Logo -->\n${svg('<g/>')}`],
  [
    'a DOCTYPE as drawing programs write it',
    `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">${svg('')}`,
  ],
  [
    'references to parts of the same file',
    svg('<defs><linearGradient id="a"/></defs><rect fill="url(#a)" style="filter:url( \'#b\' )"/><use href="#a" xlink:href="#a"/>'),
  ],
  ['an embedded picture', svg('<image href="data:image/png;base64,AAAA" width="9" height="9"/>')],
  ['a style for the dark theme', svg('<style>@media (prefers-color-scheme: dark) { path { fill: #fff } }</style><path/>')],
  ['metadata of a drawing program', svg('<metadata><x:work xmlns:x="http://example.com/" x:about="http://example.com/logo"/></metadata>')],
])('accepts %s', (_, text) => {
  expect(read(text)).toEqual({ width: 40, height: 20 })
})

test.each([
  ['viewBox="-5,-5, 120 30" width="1em"', { width: 120, height: 30 }],
  ['width="64px" height="32"', { width: 64, height: 32 }],
])('takes the size from %s', (attributes, size) => {
  expect(read(svg('', attributes))).toEqual(size)
})

const bomb = `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>${svg('<text>&b;</text>')}`

test.each([
  [svg('<script>alert(1)</script>'), 'contains the element script; remove it'],
  [svg('<g><SCRIPT href="#"/></g>'), 'contains the element SCRIPT; remove it'],
  [svg('<x:script xmlns:x="http://www.w3.org/2000/svg">alert(1)</x:script>'), 'contains the element script; remove it'],
  [svg('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">Hi</p></foreignObject>'), 'contains the element foreignObject; remove it'],
  [svg('<iframe xmlns="http://www.w3.org/1999/xhtml"/>'), 'contains the element iframe; remove it'],
  [svg('<h:b xmlns:h="http://www.w3.org/1999/xhtml"/>'), 'contains the element b; remove it'],
  [svg('', 'viewBox="0 0 1 1" onload="alert(1)"'), 'contains the attribute onload; remove it'],
  [svg('<path ONCLICK="alert(1)"/>'), 'contains the attribute ONCLICK; remove it'],
  [svg('<a href="javascript:alert(1)"><path/></a>'), 'loads javascript:alert(1); put it into the file'],
  [svg('<a xlink:href="&#106;avascript:alert(1)"/>'), 'loads javascript:alert(1); put it into the file'],
  [svg('<image href="https://evil.example/p.png"/>'), 'loads https://evil.example/p.png; put it into the file'],
  [svg('<use href="other.svg#a"/>'), 'loads other.svg#a; put it into the file'],
  [svg('<image href="data:image/svg+xml,%3Csvg/%3E"/>'), 'loads data:image/svg+xml,%3Csvg/%3E; put it into the file'],
  [svg('<image href="data:text/html,x"/>'), 'loads data:text/html,x; put it into the file'],
  [svg('<set attributeName="href" to="javascript:alert(1)"/>'), 'animates href; remove that'],
  [svg('<animate attributeName="onload" values="alert(1)"/>'), 'animates onload; remove that'],
  [svg('<style>@import "https://evil.example/x.css";</style>'), 'contains @import; remove it'],
  [svg('<style><![CDATA[a{fill:url(https://evil.example/#a)}]]></style>'), 'loads https://evil.example/#a; put it into the file'],
  [svg('<style>a{fill:\\75rl(https://evil.example)}</style>'), 'contains escaped characters in a style; write them as they are'],
  [svg('<rect fill="url(//evil.example/a.svg#b)"/>'), 'loads //evil.example/a.svg#b; put it into the file'],
  [svg('<g xml:base="https://evil.example/"/>'), 'contains the attribute xml:base; remove it'],
  [`<?xml-stylesheet href="https://evil.example/x.css"?>${svg('')}`, 'contains a processing instruction (xml-stylesheet); remove it'],
  [bomb, 'declares entities in its DOCTYPE; remove the part in brackets'],
  [
    `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('&x;')}`,
    'declares entities in its DOCTYPE; remove the part in brackets',
  ],
  [svg('&unknown;'), expect.stringMatching(/^is not well-formed XML \(.*undefined entity/)],
  [svg('<path>'), expect.stringMatching(/^is not well-formed XML \(.*unexpected close tag/)],
  ['', expect.stringMatching(/^is not well-formed XML/)],
  ['<svg viewBox="0 0 1 1"/>', expect.stringMatching(/^is not an SVG/)],
  ['<html xmlns="http://www.w3.org/1999/xhtml"/>', expect.stringMatching(/^is not an SVG/)],
  [svg('', ''), 'has neither a viewBox nor a width and a height in pixels'],
  [svg('', 'viewBox="0 0 0 10"'), 'has neither a viewBox nor a width and a height in pixels'],
  [svg('', 'width="100%" height="50%"'), 'has neither a viewBox nor a width and a height in pixels'],
  [Buffer.from([0x3c, 0xff, 0xfe]), 'is not UTF-8 text'],
])('refuses %s', (text, problem) => {
  expect(read(text)).toEqual(problem)
})
