import type { PageFrame, RenderedFrame } from '@gatehouse/wire/page-props'
import { renderToStaticMarkup } from 'react-dom/server'
import { portalTexts } from '../messages/current.ts'
import styles from './frame.css?inline'
import noticeStyles from './frame-notice.css?inline'

/**
 * The notice above the content, and the footer below it: the operator's links, and the current language as a link to the page of all
 * languages. Both are static. A page's script hydrates only what is between them, so the sign-in page loads no code for them.
 */
export const renderFrame = ({ notice, links, language }: PageFrame): RenderedFrame => {
  const words = portalTexts.frame
  const shown = (['help', 'privacy', 'imprint'] as const).flatMap(kind => (links[kind] ? [{ kind, href: links[kind] }] : []))
  const hasFooter = shown.length > 0 || language !== undefined
  return {
    notice: notice ? renderToStaticMarkup(<p className="gatehouse-frame-notice">{notice}</p>) : '',
    footer: hasFooter
      ? renderToStaticMarkup(
          <footer>
            {shown.map(({ kind, href }) => (
              <a key={kind} href={href}>
                {words[kind]}
              </a>
            ))}
            {language && (
              <a href={language.href} aria-label={words.language(language.name)}>
                {language.name}
              </a>
            )}
          </footer>,
        )
      : '',
    styles: (notice ? noticeStyles : '') + (hasFooter ? styles : ''),
  }
}
