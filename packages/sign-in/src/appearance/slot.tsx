import type { SignInPage } from '@gatehouse/wire/page-props'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { logError } from '../log.ts'
import type { Part } from './parts.ts'
import styles from './slot.module.css'

/**
 * Draws into an element of the widget.
 * @param element empty, and part of the document
 * @param page the page that the widget shows
 * @returns a function that the widget calls before it removes the content. The widget ignores any other value
 */
export type DrawSlot = (element: HTMLElement, page: SignInPage['at']) => unknown

/** Content of the host page inside the widget: what React renders, a DOM node, or a function that draws. */
export type SlotContent = ReactNode | Node | DrawSlot

/** Content of the host page in four places in the widget. */
export type Slots = {
  /** Above the card, on every page. */
  header?: SlotContent
  /** Above the form of the login page, below its heading. */
  aboveForm?: SlotContent
  /** Below the form of the login page and the other ways to sign in. */
  belowForm?: SlotContent
  /** Below the card, on every page. */
  footer?: SlotContent
}

/** Whether the widget inserts the content itself. React renders all other content, also on a server. */
export const isDrawn = (content: unknown): content is Node | DrawSlot =>
  typeof content === 'function' || (typeof content === 'object' && content !== null && 'nodeType' in content)

type DrawnProps = {
  /** Names the slot in errors on the console. */
  name: string
  content: Node | DrawSlot
  page: SignInPage['at']
  className?: string | undefined
  part?: Part | undefined
}

/** An element that the host page fills without React. */
export const Drawn = ({ name, content, page, className, part }: DrawnProps) => {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    let end: unknown
    // A mistake of the host page must not remove the sign-in form.
    const attempt = (run: () => void) => {
      try {
        run()
      } catch (error) {
        logError(`options.${name} threw`, error)
      }
    }
    if (typeof content !== 'function') element.replaceChildren(content)
    else
      attempt(() => {
        end = content(element, page)
      })
    return () => {
      if (typeof end === 'function') attempt(end as () => void)
      element.replaceChildren()
    }
  }, [content, page, name])
  return <div ref={ref} className={className} data-part={part} data-gatehouse-slot="" />
}

type SlotProps = { name: keyof Slots; part: Part; content: SlotContent; page: SignInPage['at'] }

/** A place for content of the host page. Without content, no element. */
export const Slot = ({ name, part, content, page }: SlotProps) => {
  if (content === undefined || content === null || typeof content === 'boolean' || content === '') return null
  const className = `${styles.slot} ${styles[name]}`
  return isDrawn(content) ? (
    <Drawn name={`slots.${name}`} content={content} page={page} className={className} part={part} />
  ) : (
    <div className={className} data-part={part} data-gatehouse-slot="">
      {content}
    </div>
  )
}
