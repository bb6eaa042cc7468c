import { Fragment } from 'react'

/** A long address, which may wrap after its separators, but not before the `*` at its end. */
export const Breakable = ({ children }: { children: string }) =>
  children.split(/(?<=[@/.:])(?!\*$)/).map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an address never change places
    <Fragment key={i}>
      {i > 0 && <wbr />}
      {part}
    </Fragment>
  ))
