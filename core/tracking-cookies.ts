// Selected from the Open Cookie Database (https://github.com/jkwakman/Open-Cookie-Database, Apache-2.0, version of
// 2026-01-21), and from the documents of the vendors: first-party cookies of its categories Analytics and Marketing, of
// consent banners, load balancers and bot checks. Names that a site could use itself, such as `id` or `visitor`, are left
// out. To renew the list, run `node test/setup/tracking-cookies.js open-cookie-database.csv`, which prints the names that
// are missing here.
const measurement = `
_ga* _gid _gat* _gac_* _gcl_* _dc_gtm_* _gtmeec FPID FPLC FPAU FPGSID FPGCL* __gads __gpi* __gsas __eoi _opt_*
GA_OPT_OUT __utm* FCCDCF FCNEC _clck _clsk _uet* MSPTC ai_session ai_user _fbp _fbc _tt_* _ttp ttcsid* ttclid li_fat_id
li_gc ln_or _scid* _sctr _schn _pin_unauth _pinterest_* _derived_epik _epik _twpid _rdt_* __hs* hubspotutk messagesUtk
ajs_* mp_* ph_* amp_* AMP_* amplitude_id* _hp2_* _hj* hjViewportId _pk_* mtm_* matomo_* stg_last_interaction
stg_returning_visitor stg_externalReferrer stg_traffic_source_priority AMCV_* AMCVS_* s_cc s_sq s_vi s_fid s_ecid s_ppv*
s_nr* s_tp s_lv* kndctr_* at_check km_ai km_lv _ce.* cebs* mf_* _lo_* __lotl __lotr fs_uid fs_lua __insp* _vwo_*
_vis_opt_* optimizely* ABTasty* _conv_* kameleoon* cto_* _tb_* taboola_* outbrain_cid* _ym_* Hm_lvt_* Hm_lpvt_* _cb
_cb_ls _cb_svref _chartbeat* _SUPERFLY_nosample _parsely_* _scor_uid __qca visitor_id* pi_opt_in* _mkto_trk _biz_*
ELOQUA __kla_id _mcid mc_landing_site prism_* _cioid _cioanonid sailthru_content sailthru_pageviews sailthru_visitor
NREUM _dd_s* dtCookie* dtPC dtLatC dtSa dtValidationCookie dtDisabled rxVisitor rxvt ADRUM* _shopify_y _shopify_s
_shopify_sa_* sbjs_* pys_* tk_ai tk_qs _aw_* AwinChannelCookie lantern IR_* emos_* _et_coid atuserid atauthority
atidvisitor pa_vid pa_privacy pa_user _pcus cX_P cX_G wt3_* wteid_* _cs_* utag_main* __exponea_* scarab.* ab.storage.*
onesignal-* driftt_aid drift_aid drift_campaign_refresh crisp-client* twk_* TawkConnectionTime __zlcmid ZD-suid ZD-buid
__lc_* intercom-* _sp_id.* _sp_ses.* snowplow* __adroll* __ar_v4 __adal_* nmstat _ALGOLIA ahoy_visit ahoy_visitor
__trf.src rl_anonymous_id rl_user_id rl_trait rl_session rl_group_* rl_page_init_* panoramaId* _cc_id _cc_cc _cc_domain
QSI_* ezo* plausible_* _fathom* umami.*`
const consent = `
OptanonConsent OptanonAlertBoxClosed OptanonControl eupubconsent* euconsent* addtl_consent usprivacy CookieConsent
CookieConsentBulk* CookieConsentPolicy cookieyes* cky-* cookielawinfo-* CookieLawInfoConsent cli_user_preference
viewed_cookie_policy cmplz_* complianz_* borlabs-cookie* didomi_* notice_preferences notice_gdpr_prefs notice_behavior
notice_poptime cmapi_* TAsessionID TAconsentID _iub_cs-* osano_* cookieconsent_status klaro tarteaucitron axeptio_*
cookiefirst-* CookieInformationConsent* cookiehub CookieControl consentUUID consentDate cc_cookie moove_gdpr_popup
real_cookie_banner* cookie_notice_accepted hu-consent __cmp* _cmp_a CookieScriptConsent TC_PRIVACY* TC_OUTPUT* TCPID
TCIPD cookie-agreed* _tracking_consent ppms_privacy_* _evidon_* __tlbcpv __tltpl_* __tluid _ketch_consent*
privacypillar-* cookie-consent-io*`
const infrastructure = `
AWSALB* AWSELB* ARRAffinity* ApplicationGatewayAffinity* ASLBSA* TiPMix x-ms-routing-name GCLB __cf* _cfuvid
cf_clearance cf_chl_* cf_ob_info cf_use_ob BIGipServer* TS01* NSC_* SERVERID* AlteonP SSLB* incap_ses_* visid_incap_*
nlbi_* ak_bmsc bm_* _abck AKA_A2 datadome _px* heroku-session-affinity INGRESSCOOKIE DO-LB __ddg* __uzm* sucuri_* BNI_*
_GRECAPTCHA`

/**
 * Cookies that analytics, consent banners, load balancers and bot checks set for themselves. Pages do not depend on
 * them. A trailing `*` matches any ending.
 */
export const trackingCookies: readonly string[] = `${measurement} ${consent} ${infrastructure}`.trim().split(/\s+/)
