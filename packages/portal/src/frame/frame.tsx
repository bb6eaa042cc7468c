import type { PageFrame, RenderedFrame } from '@gatehouse/wire/page-props'
import { renderToStaticMarkup } from 'react-dom/server'
import { portalTexts } from '../messages/current.ts'
import styles from './frame.css?inline'

const words = () => portalTexts.frame

/**
 * The notice above the content and the links below it. Both are static: a page's script takes over what is between them, and the sign-in
 * page does not carry their code.
 */
export const renderFrame = ({ notice, links }: PageFrame): RenderedFrame => {
  const shown = (['help', 'privacy', 'imprint'] as const).flatMap(kind => (links[kind] ? [{ kind, href: links[kind] }] : []))
  return {
    notice: notice ? renderToStaticMarkup(<p className="gatehouse-frame-notice">{notice}</p>) : '',
    footer:
      shown.length === 0
        ? ''
        : renderToStaticMarkup(
            <footer className="gatehouse-frame-footer">
              {shown.map(({ kind, href }) => (
                <a key={kind} className="gatehouse-frame-link" href={href}>
                  {words()[kind]}
                </a>
              ))}
            </footer>,
          ),
    styles: notice || shown.length > 0 ? styles : '',
  }
}
