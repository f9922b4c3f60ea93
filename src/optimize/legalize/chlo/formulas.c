/* Table of formulas (syntax: formula.h) for the elementwise ops of chlo. They follow the decompositions of StableHLO's
 * chlo-legalize-to-stablehlo operation by operation, so that results agree with programs compiled elsewhere as far as the functions
 * allow. Coefficients are those of Cephes unless noted otherwise. */
#include "optimize/legalize/chlo/formulas.h"

const struct sr_formula sr_chlo_formulas[] = {
	{"_asin_acos_kernel", {"z"},
	 "asin_acos_kernel(z)"},
	{"acos", {"x"},
	 "one = 1; atan2(sqrt((one - x) * (one + x)), x)"},
	{"acos_complex", {"z"},
	 "k = asin_acos_kernel(z); rk = real(k); sx = real(z); re = atan2(rk, sx); sy = imag(z); like sy; n = sy < 0; "
	 "ik = imag(k); "
	 "complex(re, select(n, ik, -ik))"},
	{"acosh", {"x"},
	 "m = max_finite; two = 2; big = x >= m / two; l = log(two) + log(x); one = 1; r = sqrt(x - one); "
	 "select(big, l, log_plus_one(r * (sqrt(x + one) + r)))"},
	{"acosh_complex", {"z"},
	 "k = asin_acos_kernel(z); re = imag(k); sy = imag(z); like sy; n = sy < 0; rk = real(k); sx = real(z); "
	 "t = atan2(rk, sx); "
	 "complex(re, select(n, -t, t))"},
	{"asin", {"x"},
	 "one = 1; t = atan2(x, one + sqrt((one - x) * (one + x))); t + t"},
	/* Common part of asin and acos: sqrt(a^2 - x^2) + i log(a + sqrt(a^2 - 1)) with a = (|z + 1| + |z - 1|) / 2: Hull,
	 * Fairgrieve and Tang, Implementing the complex arcsine and arccosine functions using exception handling, ACM TOMS 23
	 * (1997), with fewer regions */
	{"asin_acos_kernel", {"z"},
	 "sx = real(z); like sx; x = abs(sx); sy = imag(z); y = abs(sy); m = maximum(x, y); "
	 "large = sqrt(max_finite) / 8; far = m >= large; "
	 "one = 1; inner = x <= one; half = 0.5; "
	 "xp = x + one; axp = abs(xp); mx = maximum(axp, y); mn = minimum(axp, y); same = mx == mn; "
	 "root2 = 1.4142135623730951; q = root2 * mx; "
	 "d = mn / mx; d2 = d * d; h = sqrt(one + d2); flat = h == one; zero = 0; tiny = d2 > zero; "
	 "lost = flat & tiny; "
	 "u = mx * d2; two = 2; t = mx + u / two; v = mx * h; r = select(same, q, select(lost, t, v)); "
	 "xm = x - one; axm = abs(xm); nx = maximum(axm, y); nn = minimum(axm, y); same = nx == nn; q = root2 * nx; "
	 "d = nn / nx; d2 = d * d; h = sqrt(one + d2); flat = h == one; tiny = d2 > zero; lost = flat & tiny; "
	 "t = nx + nx * d2 / two; v = nx * h; s = select(same, q, select(lost, t, v)); "
	 "a = half * (r + s); ha = half * (a + x); yy = y * y; rp = r + xp; w = yy / rp; sm = s - xm; "
	 "re1 = sqrt(ha * (w + sm)); "
	 "h1 = ha / rp; sp = s + xm; re2 = y * sqrt(h1 + ha / sp); re = select(far, y, select(inner, re1, re2)); "
	 "wide_x = x < large * 1000000000000.0; o1 = large * 1e-06; o2 = large * 100.0; lim = select(wide_x, o1, o2); "
	 "yg = y >= lim; "
	 "m1 = select(yg, y, x); lim = select(yg, lim, large); far = m1 >= lim; l2 = log(two); l1 = log(m1); "
	 "ls = l2 + l1; "
	 "like sy; fy = not(y == inf); like sx; af = yg & fy; xy = select(af, x / y, zero); im1 = ls + half * log_plus_one(xy * xy); "
	 "near = (y < sqrt(min_normal) * 4) & (x < one); n1 = xp * xm; ap = a + one; n2 = -(n1 / ap); xg = x >= one; "
	 "hyy = half * yy; "
	 "dh = hyy / rp; b1 = dh + half * sp; la = a <= 1.5; b2 = dh + hyy / sm; b3 = a - one; "
	 "am = select(near, n2, select(xg, b1, select(la, b2, b3))); sq = sqrt(am * ap); y1 = y / sq; "
	 "im2 = select(near, y1, log_plus_one(am + sq)); complex(re, select(far, im1, im2))"},
	{"asin_complex", {"z"},
	 "sx = real(z); like sx; k = asin_acos_kernel(z); re = atan2(sx, real(k)); sy = imag(z); n = sy < 0; "
	 "ik = imag(k); "
	 "complex(re, select(n, -ik, ik))"},
	{"asinh", {"x"},
	 "s = sign(x); ax = abs(x); big = ax >= sqrt(max_finite); l = log(2) + log(ax); ax2 = ax * ax; one = 1; "
	 "s * select(big, l, log_plus_one(ax + ax2 / (one + sqrt(one + ax2))))"},
	{"asinh_complex", {"z"},
	 "sx = real(z); like sx; n = sx < 0; sy = imag(z); w = asin_acos_kernel(complex(-sy, sx)); iw = imag(w); "
	 "re = select(n, -iw, iw); "
	 "complex(re, atan2(sy, real(w)))"},
	{"atan", {"x"},
	 "atan2(x, 1)"},
	{"atan_complex", {"z"},
	 "y = imag(z); w = atanh_complex(complex(-y, real(z))); complex(imag(w), -real(w))"},
	{"atanh", {"x"},
	 "select(abs(x) > 1, nan, (log_plus_one(x) - log_plus_one(-x)) * 0.5)"},
	{"atanh_complex", {"z"},
	 "x = real(z); like x; zero = 0; pos = x >= zero; one = 1; minus = -1; sg = select(pos, one, minus); "
	 "four = 4; ax = abs(x); "
	 "big = max_finite; is64 = big > 1e+308; k64 = 9007199254740994.0; is32 = big > 1e+38; k = select(is32, "
	 "16777218.0, 2050.0); "
	 "ie = select(is64, k64, k); large = ie * ie; lx = ax < large; y = imag(z); ay = abs(y); ly = ay < large; "
	 "safe = lx & ly; "
	 "nx = one - ax; n2 = nx * nx; y2 = y * y; v1 = ax / (n2 + y2); small = ay * ie < ax; v2 = one / ax; "
	 "pinf = inf; e1 = x == pinf; minf = ninf; e2 = x == minf; e3 = e1 | e2; e4 = y == pinf; e5 = y == minf; "
	 "e = e3 | (e4 | e5); "
	 "v3 = one / (ax / y + y / ax) / y; f = select(safe, v1, select(small, v2, select(e, zero, v3))); "
	 "re = sg * log_plus_one(four * f) * 0.25; a = atan2(y + y, nx * (one + ax) - y2); yp = y >= 0; "
	 "ys = select(yp, one, minus); "
	 "complex(re, select(safe, a, ys * pi) * 0.5)"},
	{"bessel_i1e", {"x"},
	 "z = abs(x); half = 0.5; two = 2; c32 = 32; eight = 8; t = half * z - two; "
	 "a = chebyshev(t, 9.38153738649577178388E-9, -4.44505912879632808065E-8, 2.00329475355213526229E-7, "
	 "-8.56872026469545474066E-7, 3.47025130813767847674E-6, -1.32731636560394358279E-5, "
	 "4.78156510755005422638E-5, -1.61760815825896745588E-4, 5.12285956168575772895E-4, "
	 "-1.51357245063125314899E-3, 4.15642294431288815669E-3, -1.05640848946261981558E-2, "
	 "2.47264490306265168283E-2, -5.29459812080949914269E-2, 1.02643658689847095384E-1, "
	 "-1.76416518357834055153E-1, 2.52587186443633654823E-1); a = z * a; t = c32 / z - two; "
	 "b = chebyshev(t, -3.83538038596423702205E-9, -2.63146884688951950684E-8, -2.51223623787020892529E-7, "
	 "-3.88256480887769039346E-6, -1.10588938762623716291E-4, -9.76109749136146840777E-3, "
	 "7.78576235018280120474E-1); b = b / sqrt(z); le = z <= eight; s = select(le, a, b); sign(x) * s"},
	{"bessel_i1e_f64", {"x"},
	 "z = abs(x); half = 0.5; two = 2; c32 = 32; eight = 8; t = half * z - two; "
	 "a = chebyshev(t, 2.77791411276104639959E-18, -2.11142121435816608115E-17, 1.55363195773620046921E-16, "
	 "-1.10559694773538630805E-15, 7.60068429473540693410E-15, -5.04218550472791168711E-14, "
	 "3.22379336594557470981E-13, -1.98397439776494371520E-12, 1.17361862988909016308E-11, "
	 "-6.66348972350202774223E-11, 3.62559028155211703701E-10, -1.88724975172282928790E-9, "
	 "9.38153738649577178388E-9, -4.44505912879632808065E-8, 2.00329475355213526229E-7, "
	 "-8.56872026469545474066E-7, 3.47025130813767847674E-6, -1.32731636560394358279E-5, "
	 "4.78156510755005422638E-5, -1.61760815825896745588E-4, 5.12285956168575772895E-4, "
	 "-1.51357245063125314899E-3, 4.15642294431288815669E-3, -1.05640848946261981558E-2, "
	 "2.47264490306265168283E-2, -5.29459812080949914269E-2, 1.02643658689847095384E-1, "
	 "-1.76416518357834055153E-1, 2.52587186443633654823E-1); a = z * a; t = c32 / z - two; "
	 "b = chebyshev(t, 7.51729631084210481353E-18, 4.41434832307170791151E-18, -4.65030536848935832153E-17, "
	 "-3.20952592199342395980E-17, 2.96262899764595013876E-16, 3.30820231092092828324E-16, "
	 "-1.88035477551078244854E-15, -3.81440307243700780478E-15, 1.04202769841288027642E-14, "
	 "4.27244001671195135429E-14, -2.10154184277266431302E-14, -4.08355111109219731823E-13, "
	 "-7.19855177624590851209E-13, 2.03562854414708950722E-12, 1.41258074366137813316E-11, "
	 "3.25260358301548823856E-11, -1.89749581235054123450E-11, -5.58974346219658380687E-10, "
	 "-3.83538038596423702205E-9, -2.63146884688951950684E-8, -2.51223623787020892529E-7, "
	 "-3.88256480887769039346E-6, -1.10588938762623716291E-4, -9.76109749136146840777E-3, "
	 "7.78576235018280120474E-1); b = b / sqrt(z); le = z <= eight; s = select(le, a, b); sign(x) * s"},
	{"conj_complex", {"z"},
	 "complex(real(z), -imag(z))"},
	/* cosh: e^x / 2 is computed as e^(x + log 1/2), which does not overflow where e^x does */
	{"cosh", {"x"},
	 "l = log(0.5); exponential(x + l) + exponential(l - x)"},
	/* digamma: Lanczos' approximation with g = 7 and nine terms, differentiated; reflection for x < 1/2 */
	{"digamma", {"x"},
	 "half = 0.5; reflect = x < half; nx = -x; one = 1; xm = x - one; z = select(reflect, nx, xm); zero = 0; "
	 "a = 0.99999999999980993227684700473478; d = zero; "
	 "c = 676.520368121885098567009190444019; y = z + 1; d = d - c / (y * y); a = a + c / y; "
	 "c = -1259.13921672240287047156078755283; y = z + 2; d = d - c / (y * y); a = a + c / y; "
	 "c = 771.3234287776530788486528258894; y = z + 3; d = d - c / (y * y); a = a + c / y; "
	 "c = -176.61502916214059906584551354; y = z + 4; d = d - c / (y * y); a = a + c / y; "
	 "c = 12.507343278686904814458936853; y = z + 5; d = d - c / (y * y); a = a + c / y; "
	 "c = -0.13857109526572011689554707; y = z + 6; d = d - c / (y * y); a = a + c / y; "
	 "c = 9.984369578019570859563e-6; y = z + 7; d = d - c / (y * y); a = a + c / y; "
	 "c = 1.50563273514931155834e-7; y = z + 8; d = d - c / (y * y); a = a + c / y; "
	 "g = 7.5; t = g + z; lt = 2.0149030205422647; l1 = log_plus_one(z / g); lt = lt + l1; pa = d / a; "
	 "gt = 7 / t; r = lt + pa - gt; "
	 "rx = x + abs(floor(x + 0.5)); p = pi; y = p * rx; co = cosine(y); si = sine(y); refl = r - p * co / si; "
	 "r = select(reflect, refl, r); "
	 "le = x <= zero; whole = x == floor(x); pole = le & whole; select(pole, nan, r)"},
	{"erf_f32", {"x"},
	 "x = clamp(-4, x, 4); s = x * x; "
	 "a = poly(s, -2.72614225801306e-10, 2.77068142495902e-08, -2.10102402082508e-06, -5.69250639462346e-05, "
	 "-7.34990630326855e-04, -2.95459980854025e-03, -1.60960333262415e-02); "
	 "b = poly(s, -1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03, -7.37332916720468e-03, "
	 "-1.42647390514189e-02); e = x * a / b; clamp(-1, e, 1)"},
	{"erf_f64", {"x"},
	 "a = erf_inner_f64(x); one = 1; c = erfc_outer_f64(x); b = one - c; small = abs(x) < one; select(small, a, b)"},
	/* erf for |x| <= 1, and erfc for |x| >= 1, by the approximations of Cephes */
	{"erf_inner_f32", {"x"},
	 "s = x * x; x * poly(s, 7.853861353153693E-5, -8.010193625184903E-4, 5.188327685732524E-3, "
	 "-2.685381193529856E-2, 1.128358514861418E-1, -3.761262582423300E-1, 1.128379165726710E+0)"},
	{"erf_inner_f64", {"x"},
	 "s = x * x; xt = x * poly(s, 9.60497373987051638749E0, 9.00260197203842689217E1, 2.23200534594684319226E3, "
	 "7.00332514112805075473E3, 5.55923013010394962768E4); "
	 "u = poly(s, 1.00000000000000000000E0, 3.35617141647503099647E1, 5.21357949780152679795E2, "
	 "4.59432382970980127987E3, 2.26290000613890934246E4, 4.92673942608635921086E4); xt / u"},
	/* inverse of erf: Giles, Approximating the erfinv function (2010) */
	{"erf_inv_f32", {"x"},
	 "m = x * -x; w = -log_plus_one(m); lt = w < 5; w = select(lt, w - 2.5, sqrt(w) - 3); "
	 "p = select(lt, 2.81022636e-08, -0.000200214257); "
	 "p = select(lt, 3.43273939e-07, 0.000100950558) + p * w; "
	 "p = select(lt, -3.5233877e-06, 0.00134934322) + p * w; "
	 "p = select(lt, -4.39150654e-06, -0.00367342844) + p * w; "
	 "p = select(lt, 0.00021858087, 0.00573950773) + p * w; "
	 "p = select(lt, -0.00125372503, -0.0076224613) + p * w; "
	 "p = select(lt, -0.00417768164, 0.00943887047) + p * w; "
	 "p = select(lt, 0.246640727, 1.00167406) + p * w; "
	 "p = select(lt, 1.50140941, 2.83297682) + p * w; "
	 "r = p * x; select(abs(x) == 1, x * inf, r)"},
	{"erf_inv_f64", {"x"},
	 "m = x * -x; w = -log_plus_one(m); lt6 = w < 6.25; lt16 = w < 16; sw = sqrt(w); u = w - 3.125; "
	 "k = select(lt16, 3.25, 5); d = sw - k; "
	 "w = select(lt6, u, d); "
	 "p = select(lt16, select(lt6, -3.6444120640178196996e-21, 2.2137376921775787049e-09), "
	 "-2.7109920616438573243e-11); "
	 "p = select(lt16, select(lt6, -1.685059138182016589e-19, 9.0756561938885390979e-08), "
	 "-2.5556418169965252055e-10) + p * w; "
	 "p = select(lt16, select(lt6, 1.2858480715256400167e-18, -2.7517406297064545428e-07), "
	 "1.5076572693500548083e-09) + p * w; "
	 "p = select(lt16, select(lt6, 1.115787767802518096e-17, 1.8239629214389227755e-08), "
	 "-3.7894654401267369937e-09) + p * w; "
	 "p = select(lt16, select(lt6, -1.333171662854620906e-16, 1.5027403968909827627e-06), "
	 "7.6157012080783393804e-09) + p * w; "
	 "p = select(lt16, select(lt6, 2.0972767875968561637e-17, -4.013867526981545969e-06), "
	 "-1.4960026627149240478e-08) + p * w; "
	 "p = select(lt16, select(lt6, 6.6376381343583238325e-15, 2.9234449089955446044e-06), "
	 "2.9147953450901080826e-08) + p * w; "
	 "p = select(lt16, select(lt6, -4.0545662729752068639e-14, 1.2475304481671778723e-05), "
	 "-6.7711997758452339498e-08) + p * w; "
	 "p = select(lt16, select(lt6, -8.1519341976054721522e-14, -4.7318229009055733981e-05), "
	 "2.2900482228026654717e-07) + p * w; "
	 "p = select(lt16, select(lt6, 2.6335093153082322977e-12, 6.8284851459573175448e-05), "
	 "-9.9298272942317002539e-07) + p * w; "
	 "p = select(lt16, select(lt6, -1.2975133253453532498e-11, 2.4031110387097893999e-05), "
	 "4.5260625972231537039e-06) + p * w; "
	 "p = select(lt16, select(lt6, -5.4154120542946279317e-11, -0.0003550375203628474796), "
	 "-1.9681778105531670567e-05) + p * w; "
	 "p = select(lt16, select(lt6, 1.051212273321532285e-09, 0.00095328937973738049703), "
	 "7.5995277030017761139e-05) + p * w; "
	 "p = select(lt16, select(lt6, -4.1126339803469836976e-09, -0.0016882755560235047313), "
	 "-0.00021503011930044477347) + p * w; "
	 "p = select(lt16, select(lt6, -2.9070369957882005086e-08, 0.0024914420961078508066), "
	 "-0.00013871931833623122026) + p * w; "
	 "p = select(lt16, select(lt6, 4.2347877827932403518e-07, -0.0037512085075692412107), "
	 "1.0103004648645343977) + p * w; "
	 "p = select(lt16, select(lt6, -1.3654692000834678645e-06, 0.005370914553590063617), "
	 "4.8499064014085844221) + p * w; "
	 "p = select(lt16, select(lt6, -1.3882523362786468719e-05, 1.0052589676941592334) + p * w, p); "
	 "p = select(lt16, select(lt6, 0.0001867342080340571352, 3.0838856104922207635) + p * w, p); "
	 "p = select(lt6, -0.00074070253416626697512 + p * w, p); "
	 "p = select(lt6, -0.0060336708714301490533 + p * w, p); "
	 "p = select(lt6, 0.24015818242558961693 + p * w, p); "
	 "p = select(lt6, 1.6536545626831027356 + p * w, p); "
	 "r = p * x; select(abs(x) == 1, x * inf, r)"},
	{"erfc_f32", {"x"},
	 "e = erfc_outer_f32(x); one = 1; f = erf_inner_f32(x); d = one - f; small = abs(x) < one; select(small, d, e)"},
	{"erfc_f64", {"x"},
	 "c = erfc_outer_f64(x); one = 1; a = erf_inner_f64(x); b = one - a; small = abs(x) < one; select(small, b, c)"},
	{"erfc_outer_f32", {"x"},
	 "s = x * x; z = -s; ax = abs(x); one = 1; r = one / s; ez = exponential(z); o = one / ax; m = ez * o; "
	 "two = 2; lt = ax < two; "
	 "p = poly(r, 2.326819970068386E-2, -1.387039388740657E-1, 3.687424674597105E-1, -5.824733027278666E-1, "
	 "6.210004621745983E-1, -4.944515323274145E-1, 3.404879937665872E-1, -2.741127028184656E-1, "
	 "5.638259427386472E-1); "
	 "q = poly(r, -1.047766399936249E+1, 1.297719955372516E+1, -7.495518717768503E+0, 2.921019019210786E+0, "
	 "-1.015265279202700E+0, 4.218463358204948E-1, -2.820767439740514E-1, 5.641895067754075E-1); "
	 "y = select(lt, p, q); e = m * y; under = z < -88.72283905206835; zero = 0; c = select(under, zero, e); "
	 "neg = x < zero; t = two - c; select(neg, t, c)"},
	{"erfc_outer_f64", {"x"},
	 "s = x * x; z = -s; ez = exponential(z); ax = abs(x); "
	 "p = poly(ax, 2.46196981473530512524E-10, 5.64189564831068821977E-1, 7.46321056442269912687E0, "
	 "4.86371970985681366614E1, 1.96520832956077098242E2, 5.26445194995477358631E2, 9.34528527171957607540E2, "
	 "1.02755188689515710272E3, 5.57535335369399327526E2); ep = ez * p; "
	 "q = poly(ax, 1.00000000000000000000E0, 1.32281951154744992508E1, 8.67072140885989742329E1, "
	 "3.54937778887819891062E2, 9.75708501743205489753E2, 1.82390916687909736289E3, 2.24633760818710981792E3, "
	 "1.65666309194161350182E3, 5.57535340817727675546E2); lo = ep / q; "
	 "r = poly(ax, 5.64189583547755073984E-1, 1.27536670759978104416E0, 5.01905042251180477414E0, "
	 "6.16021097993053585195E0, 7.40974269950448939160E0, 2.97886665372100240670E0); er = ez * r; "
	 "t = poly(ax, 1.00000000000000000000E0, 2.26052863220117276590E0, 9.39603524938001434673E0, "
	 "1.20489539808096656605E1, 1.70814450747565897222E1, 9.60896809063285878198E0, 3.36907645100081516050E0); "
	 "hi = er / t; "
	 "eight = 8; lt = ax < eight; e = select(lt, lo, hi); under = z < -709.782712893383996843; zero = 0; "
	 "c = select(under, zero, e); neg = x < zero; two = 2; t = two - c; select(neg, t, c)"},
	{"is_inf", {"x"},
	 "is_pos_inf(abs(x))"},
	{"is_neg_inf", {"x"},
	 "x == ninf"},
	{"is_pos_inf", {"x"},
	 "x == inf"},
	/* logarithm of gamma: Lanczos, A precision approximation of the gamma function, SIAM J. Numer. Anal. B 1 (1964), with g = 7
	 * and nine terms */
	{"lgamma", {"x"},
	 "half = 0.5; reflect = x < half; nx = -x; one = 1; xm = x - one; z = select(reflect, nx, xm); "
	 "a = 0.99999999999980993227684700473478; "
	 "a = a + 676.520368121885098567009190444019 / (z + 1); "
	 "a = a + -1259.13921672240287047156078755283 / (z + 2); "
	 "a = a + 771.3234287776530788486528258894 / (z + 3); "
	 "a = a + -176.61502916214059906584551354 / (z + 4); "
	 "a = a + 12.507343278686904814458936853 / (z + 5); "
	 "a = a + -0.13857109526572011689554707 / (z + 6); "
	 "a = a + 9.984369578019570859563e-6 / (z + 7); "
	 "a = a + 1.50563273514931155834e-7 / (z + 8); "
	 "g = 7.5; t = g + z; lt = 2.0149030205422647; l1 = log_plus_one(z / g); lt = lt + l1; q = t / lt; "
	 "s = z + half - q; r = s * lt; la = log(a); l = 0.9189385332046727 + r + la; "
	 "ax = abs(x); f = ax - floor(ax); upper = half < f; f = select(upper, one - f, f); d = log(sine(pi * f)); "
	 "lr = 1.1447298858494002 - d - l; "
	 "fin = is_finite(d); nd = -d; lr = select(fin, lr, nd); l = select(reflect, lr, l); select(is_inf(x), inf, l)"},
	{"mulhi_i64", {"x", "y"},
	 "h = mulhi_ui64(unsigned(x), unsigned(y)); n = x < 0; u = unsigned(y); v = unsigned(y); like v; "
	 "h = h - select(n, u, 0); "
	 "like x; n = y < 0; u = unsigned(x); v = unsigned(x); like v; cast(h - select(n, u, 0))"},
	{"mulhi_signed", {"x", "y"},
	 "p = wide(x) * wide(y); like p; cast(shift_right_arithmetic(p, half_width))"},
	{"mulhi_ui64", {"x", "y"},
	 "xh = shift_right_logical(x, 32); yh = shift_right_logical(y, 32); hh = xh * yh; xl = x & 4294967295; "
	 "lh = xl * yh; "
	 "yl = y & 4294967295; ll = xl * yl; m1 = lh + shift_right_logical(ll, 32); h = hh + shift_right_logical(m1, "
	 "32); hl = xh * yl; "
	 "m2 = hl + (m1 & 4294967295); h + shift_right_logical(m2, 32)"},
	{"mulhi_unsigned", {"x", "y"},
	 "p = wide(x) * wide(y); like p; cast(shift_right_logical(p, half_width))"},
	{"next_after", {"x", "y"},
	 "xi = bits(x); yi = bits(y); nx = x != x; ny = y != y; none = nx | ny; rn = bits(nan); like xi; "
	 "top = sign_mask; rest = magnitude_mask; "
	 "xa = xi & rest; ya = yi & rest; same = x == y; zero = 0; xz = xa == zero; yz = ya == zero; xs = xi & top; "
	 "ys = yi & top; one = 1; "
	 "least = ys | one; turn = xs != ys; over = xa > ya; down = over | turn; minus = -1; step = select(down, "
	 "minus, one); r = xi + step; "
	 "r = select(xz, select(yz, yi, least), r); r = select(same, yi, r); r = select(none, rn, r); first(r)"},
	{"polygamma", {"n", "x"},
	 "one = 1; two = 2; s = two * remainder(n, two) - one; np = n + one; e = exponential(lgamma(np)); "
	 "z = zeta(np, x); r = s * e * z; zero = 0; "
	 "n0 = n == zero; r = select(n0, digamma(x), r); part = n != floor(n); neg = n < zero; bad = part | neg; "
	 "select(bad, nan, r)"},
	{"same", {"x"},
	 "x"},
	{"sinh", {"x"},
	 "b = sinh_large(x); e = exponential_minus_one(x); one = 1; half = 0.5; d = e + one; r = e / d; s = e + r; "
	 "m = half * s; small = abs(x) < one; "
	 "select(small, m, b)"},
	{"sinh_large", {"x"},
	 "l = log(0.5); exponential(x + l) - exponential(l - x)"},
	{"square", {"x"},
	 "x * x"},
	{"square_complex", {"z"},
	 "x = real(z); like x; f = is_finite(x); a = abs(x); y = imag(z); e = a == abs(y); g = f & e; zero = 0; "
	 "p = (x - y) * (x + y); "
	 "re = select(g, zero, p); complex(re, 2 * (x * y))"},
	{"tan", {"x"},
	 "tan(x)"},
	/* Hurwitz zeta function: Johansson, Rigorous high-precision computation of the Hurwitz zeta function and its derivatives
	 * (2015), formula (5) */
	{"zeta", {"x", "q"},
	 "zero = 0; one = 1; nx = -x; s = power(q, nx); a = q + one; p = power(a, nx); s = s + p; "
	 "a = a + one; p = power(a, nx); s = s + p; "
	 "a = a + one; p = power(a, nx); s = s + p; "
	 "a = a + one; p = power(a, nx); s = s + p; "
	 "a = a + one; p = power(a, nx); s = s + p; "
	 "a = a + one; p = power(a, nx); s = s + p; "
	 "a = a + one; p = power(a, nx); s = s + p; "
	 "a = a + one; p = power(a, nx); s = s + p; "
	 "a = a + one; p = power(a, nx); s = s + p; "
	 "a = a + one; p = power(a, nx); onex = 1; e = p * a / (x - onex); rs = one / (a * a); h = zero; "
	 "u = x + 22; v = x + 21; h = u * v * (rs * (h + -1.3954464685812522e-19)); "
	 "u = x + 20; v = x + 19; h = u * v * (rs * (h + 5.5090028283602295e-18)); "
	 "u = x + 18; v = x + 17; h = u * v * (rs * (h + -2.1748686985580617e-16)); "
	 "u = x + 16; v = x + 15; h = u * v * (rs * (h + 8.586062056277845e-15)); "
	 "u = x + 14; v = x + 13; h = u * v * (rs * (h + -3.389680296322583e-13)); "
	 "u = x + 12; v = x + 11; h = u * v * (rs * (h + 1.3382536530684679e-11)); "
	 "u = x + 10; v = x + 9; h = u * v * (rs * (h + -5.284190138687493e-10)); "
	 "u = x + 8; v = x + 7; h = u * v * (rs * (h + 2.08767569878681e-08)); "
	 "u = x + 6; v = x + 5; h = u * v * (rs * (h + -8.267195767195768e-07)); "
	 "u = x + 4; v = x + 3; h = u * v * (rs * (h + 3.306878306878307e-05)); "
	 "u = x + 2; v = x + 1; h = u * v * (rs * (h + -0.001388888888888889)); "
	 "half = 0.5; xa = x / a; t = p * (half + xa * (0.08333333333333333 + h)); r = s + e + t; ap = abs(p); "
	 "as = abs(s); "
	 "r = select(ap < as * min_positive, s, r); n = nan; r = select(x < onex, n, r); le = q <= zero; "
	 "part = x != floor(x); bad = le & part; "
	 "r = select(bad, n, r); i = inf; qw = q == floor(q); pole = le & qw; two = 2; xw = x == floor(x); "
	 "even = remainder(x, two) == zero; "
	 "xe = xw & even; r = select(pole, select(xe, i, n), r); select(x == one, i, r)"},
	{0},
};

const struct sr_chlo_rule sr_chlo_rules[] = {
	{SR_OP_chlo__asin_acos_kernel, SR_CHLO_COMPLEX, false, SR_DTYPE_NONE, "asin_acos_kernel"},
	{SR_OP_chlo_acos, SR_CHLO_COMPLEX, false, SR_DTYPE_NONE, "acos_complex"},
	{SR_OP_chlo_acos, SR_CHLO_REAL, false, SR_DTYPE_NONE, "acos"},
	{SR_OP_chlo_acosh, SR_CHLO_COMPLEX, false, SR_DTYPE_NONE, "acosh_complex"},
	{SR_OP_chlo_acosh, SR_CHLO_REAL, false, SR_DTYPE_NONE, "acosh"},
	{SR_OP_chlo_asin, SR_CHLO_COMPLEX, false, SR_DTYPE_NONE, "asin_complex"},
	{SR_OP_chlo_asin, SR_CHLO_REAL, false, SR_DTYPE_NONE, "asin"},
	{SR_OP_chlo_asinh, SR_CHLO_COMPLEX, false, SR_DTYPE_NONE, "asinh_complex"},
	{SR_OP_chlo_asinh, SR_CHLO_REAL, false, SR_DTYPE_NONE, "asinh"},
	{SR_OP_chlo_atan, SR_CHLO_COMPLEX, false, SR_DTYPE_NONE, "atan_complex"},
	{SR_OP_chlo_atan, SR_CHLO_REAL, false, SR_DTYPE_NONE, "atan"},
	{SR_OP_chlo_atanh, SR_CHLO_COMPLEX, false, SR_DTYPE_NONE, "atanh_complex"},
	{SR_OP_chlo_atanh, SR_CHLO_REAL, false, SR_DTYPE_NONE, "atanh"},
	{SR_OP_chlo_bessel_i1e, SR_CHLO_REAL, true, SR_F64, "bessel_i1e_f64"},
	{SR_OP_chlo_bessel_i1e, SR_CHLO_REAL, true, SR_F32, "bessel_i1e"},
	{SR_OP_chlo_conj, SR_CHLO_COMPLEX, false, SR_DTYPE_NONE, "conj_complex"},
	{SR_OP_chlo_conj, SR_CHLO_REAL, false, SR_DTYPE_NONE, "same"},
	{SR_OP_chlo_cosh, SR_CHLO_ANY, true, SR_DTYPE_NONE, "cosh"},
	{SR_OP_chlo_digamma, SR_CHLO_REAL, true, SR_DTYPE_NONE, "digamma"},
	{SR_OP_chlo_erf, SR_CHLO_REAL, true, SR_F64, "erf_f64"},
	{SR_OP_chlo_erf, SR_CHLO_REAL, true, SR_F32, "erf_f32"},
	{SR_OP_chlo_erf_inv, SR_CHLO_REAL, true, SR_F64, "erf_inv_f64"},
	{SR_OP_chlo_erf_inv, SR_CHLO_REAL, true, SR_F32, "erf_inv_f32"},
	{SR_OP_chlo_erfc, SR_CHLO_REAL, true, SR_F64, "erfc_f64"},
	{SR_OP_chlo_erfc, SR_CHLO_REAL, true, SR_F32, "erfc_f32"},
	{SR_OP_chlo_is_inf, SR_CHLO_REAL, false, SR_DTYPE_NONE, "is_inf"},
	{SR_OP_chlo_is_neg_inf, SR_CHLO_REAL, false, SR_DTYPE_NONE, "is_neg_inf"},
	{SR_OP_chlo_is_pos_inf, SR_CHLO_REAL, false, SR_DTYPE_NONE, "is_pos_inf"},
	{SR_OP_chlo_lgamma, SR_CHLO_REAL, true, SR_DTYPE_NONE, "lgamma"},
	{SR_OP_chlo_mulhi, SR_CHLO_SIGNED, false, SR_I64, "mulhi_i64"},
	{SR_OP_chlo_mulhi, SR_CHLO_SIGNED, false, SR_DTYPE_NONE, "mulhi_signed"},
	{SR_OP_chlo_mulhi, SR_CHLO_UNSIGNED, false, SR_UI64, "mulhi_ui64"},
	{SR_OP_chlo_mulhi, SR_CHLO_UNSIGNED, false, SR_DTYPE_NONE, "mulhi_unsigned"},
	{SR_OP_chlo_next_after, SR_CHLO_REAL, false, SR_DTYPE_NONE, "next_after"},
	{SR_OP_chlo_polygamma, SR_CHLO_REAL, true, SR_DTYPE_NONE, "polygamma"},
	{SR_OP_chlo_sinh, SR_CHLO_COMPLEX, false, SR_DTYPE_NONE, "sinh_large"},
	{SR_OP_chlo_sinh, SR_CHLO_REAL, true, SR_DTYPE_NONE, "sinh"},
	{SR_OP_chlo_square, SR_CHLO_COMPLEX, false, SR_DTYPE_NONE, "square_complex"},
	{SR_OP_chlo_square, SR_CHLO_REAL, false, SR_DTYPE_NONE, "square"},
	{SR_OP_chlo_square, SR_CHLO_SIGNED, false, SR_DTYPE_NONE, "square"},
	{SR_OP_chlo_square, SR_CHLO_UNSIGNED, false, SR_DTYPE_NONE, "square"},
	{SR_OP_chlo_tan, SR_CHLO_ANY, false, SR_DTYPE_NONE, "tan"},
	{SR_OP_chlo_zeta, SR_CHLO_REAL, true, SR_DTYPE_NONE, "zeta"},
	{0},
};
