import { Fragment, type ReactNode } from 'react'

/** The first character of Unicode's private use area. */
const first = 0xe000

/** Fills the placeholders of a text with elements. Each element appears where the language puts its placeholder. */
export const withElements = (text: (...values: string[]) => string, ...elements: ReactNode[]): ReactNode =>
  text(...elements.map((_, index) => String.fromCharCode(first + index)))
    .split(/([\ue000-\uf8ff])/)
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change places
    .map((piece, index) => <Fragment key={index}>{index % 2 === 0 ? piece : elements[piece.charCodeAt(0) - first]}</Fragment>)
