// Common password patterns from published analyses of breaches, independent of the product's dictionaries: a base and a shape.
// Shapes use one base only, because the page advises users to combine unrelated words.
const bases = `password passwort administrator admin welcome letmein changeme default secret master computer internet server
  iloveyou loveyou trustno1 superman batman spiderman pokemon starwars naruto football baseball basketball soccer hockey liverpool arsenal chelsea
  barcelona juventus manchester realmadrid yankees cowboys steelers lakers princess sunshine shadow dragon monkey tiger buster charlie jordan michael
  jennifer michelle jessica daniel andrew joshua matthew nicole ashley amanda thomas robert william george alexander christopher elizabeth stephanie
  victoria caroline sebastian nathan samantha patrick marcus vanessa maria sophie london berlin paris chicago dallas boston australia canada germany
  mexico summer winter spring autumn monday friday december november october september january mercedes porsche ferrari yamaha suzuki harley corvette
  mustang samsung google facebook microsoft windows linux apple cookie chocolate cheese banana orange pepper ginger butterfly flower angel heaven
  jesus christ blessed forever whatever freedom qwerty qwertyuiop asdfgh asdfghjkl zxcvbnm 1q2w3e4r 1qaz2wsx abc123 a1b2c3`.split(/\s+/)

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const leet = (word: string) =>
  /\d/.test(word) ? word : word.replaceAll('a', '@').replaceAll('e', '3').replaceAll('o', '0').replaceAll('s', '$')
const digits = '1234567890123456789012345'

const shapes: ((base: string, least: number) => string)[] = [
  (base, least) => base + digits.slice(0, Math.max(1, least - base.length)),
  (base, least) => capital(base) + digits.slice(0, Math.max(1, least - base.length)),
  (base, least) => base.padEnd(Math.max(least, base.length + 2), '1'),
  (base, least) => base.padEnd(Math.max(least, base.length + 1), '!'),
  (base, least) => base.padEnd(Math.max(least, base.length + 2), '0'),
  (base, least) => digits.slice(0, Math.max(1, least - base.length)) + base,
  (base, least) => base.repeat(Math.max(2, Math.ceil(least / base.length))),
  (base, least) => capital(base).repeat(Math.max(2, Math.ceil(least / base.length))),
  (base, least) => leet(base).repeat(Math.max(2, Math.ceil(least / base.length))),
  (base, least) => `${base.repeat(Math.max(2, Math.ceil(least / base.length)))}1`,
  (base, least) => `${base.repeat(Math.max(2, Math.ceil(least / base.length)))}123`,
  (base, least) => `${capital(base).repeat(Math.max(2, Math.ceil(least / base.length)))}!`,
  (base, least) => `${base} `.repeat(Math.max(2, Math.ceil(least / base.length))).trim(),
  ...[1987, 1990, 2019, 2024, 2025].flatMap(year => [
    (base: string, least: number) => `${base}${year}`.repeat(Math.max(1, Math.ceil(least / (base.length + 4)))),
    (base: string, least: number) => `${capital(base)}${year}`.padEnd(least, '!'),
  ]),
]

const runs = (least: number): string[] => {
  const rows = [
    '1234567890',
    '0987654321',
    'qwertyuiop',
    'poiuytrewq',
    'asdfghjkl',
    'zxcvbnm',
    'abcdefghijklmnopqrstuvwxyz',
    'zyxwvutsrqponmlkjihgfedcba',
  ]
  const walks = [
    '1qaz2wsx3edc4rfv5tgb',
    'qazwsxedcrfvtgbyhn',
    'zaq1xsw2cde3vfr4',
    '1q2w3e4r5t6y7u8i9o0p',
    'qwertyuiopasdfghjklzxcvbnm',
    '1234567890qwertyuiop',
  ]
  const groups = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'))
  const dates = [1970, 1985, 1991, 2001, 2012].flatMap(year => ['0101', '1402', '0704', '2512', '3112'].map(day => `${day}${year}`))
  return [
    ...rows.flatMap(row => [row.repeat(3).slice(0, least), row.repeat(3).slice(0, least + 1), row.repeat(3).slice(0, least + 3)]),
    ...walks.filter(walk => walk.length >= least),
    ...[...'0123456789abcdefghijklmnopqrstuvwxyzABCXYZ!*.'].flatMap(one => [one.repeat(least), one.repeat(least + 2), one.repeat(20)]),
    ...groups.map(group => group.repeat(Math.ceil(least / 2))),
    ...dates.map(date => date.repeat(Math.ceil(least / 8))),
  ]
}

/** At least 3,000 different common passwords of at least `least` characters. */
export const commonPasswords = (least: number): string[] => [
  ...new Set(
    [...bases.flatMap(base => shapes.map(shape => shape(base, least))), ...runs(least)].filter(password => [...password].length >= least),
  ),
]
