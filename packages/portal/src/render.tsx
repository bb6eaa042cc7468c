import { createApi, createConfig } from '@gatehouse/sign-in'
import { renderToString } from 'react-dom/server'
import { AccountPage, isAccountProps } from './account-page.tsx'
import { isNoticeProps, NoticePage } from './notice-page.tsx'

/**
 * The inner HTML of a page's #root, for our own server. The browser hydrates it with the same component and the same
 * properties.
 * @throws TypeError when the properties are not those of the page
 */
export const renderPage = (page: 'account' | 'notice', props: unknown): string => {
  if (page === 'account' && isAccountProps(props)) {
    return renderToString(<AccountPage {...props} api={createApi(createConfig())} leave={() => {}} />)
  }
  if (page === 'notice' && isNoticeProps(props)) return renderToString(<NoticePage {...props} />)
  throw new TypeError(`renderPage: wrong properties for ${page}`)
}
